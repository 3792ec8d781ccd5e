/** The accepted evidence files of an org, newest first, with filters. */
import * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import type { PageProps } from "../pages.js"
import * as Session from "../session/Session.js"
import { callOf } from "../shared/Api.js"
import type { ListedEvidence } from "../shared/Contract.js"
import { ChoiceFilter, isFiltered, NothingFits, TextFilter } from "../shared/Filters.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { Pager, pageOf } from "../shared/Pager.js"
import { preferences } from "../shared/Preferences.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import * as Reveal from "../shared/Reveal.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { Timestamp } from "../shared/Timestamp.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"
import { formatText, KINDS } from "./EvidenceFactText.js"
import { DocumentLink, State } from "./EvidenceParts.js"
import { SendEvidence } from "./SendEvidence.js"
import { reasonText, STATES } from "./VerificationText.js"

const PER_PAGE = 50
const FILTERS = ["kind", "state", "waiting", "fingerprint"]

const columnsOf = (org: string): ReadonlyArray<Column<ListedEvidence>> => [
  {
    name: "state",
    title: "Verification",
    cell: ({ verification }) => <State state={verification.state} />
  },
  {
    name: "kind",
    title: "Kind",
    isHeader: true,
    cell: (document) => (
      <DocumentLink org={org} document={document}>
        {document.kind}
      </DocumentLink>
    )
  },
  {
    name: "format",
    title: "Format",
    cell: ({ format }) => <RevealedText text={Shorten.middle(formatText(format), 32)} />
  },
  {
    name: "why",
    title: "Why",
    cell: ({ verification }) => {
      const text = reasonText(verification) ?? `rule ${verification.rule}`
      return (
        <span title={Reveal.plain(text)}>
          <RevealedText text={Shorten.middle(text, 48)} />
        </span>
      )
    }
  },
  {
    name: "file",
    title: "File",
    isFlexible: true,
    cell: ({ digest, filename }) => (
      <RevealedText text={filename === "" ? Shorten.fingerprint(digest) : filename} />
    )
  },
  { name: "links", title: "Attestations", isNumber: true, cell: ({ links }) => links.length },
  {
    name: "at",
    title: "Accepted",
    cell: ({ accepted_at }) => <Timestamp seconds={accepted_at} />
  }
]

const Filters = ({ route }: { readonly route: Route.Route }) => (
  <search class="filters">
    <TextFilter route={route} name="fingerprint" label="Whole fingerprint" isMain />
    <ChoiceFilter
      route={route}
      name="kind"
      label="Kind"
      any="any kind"
      options={KINDS.map((kind) => [kind, kind] as const)}
    />
    <ChoiceFilter
      route={route}
      name="state"
      label="Verification"
      any="any verification"
      options={STATES}
    />
    <ChoiceFilter
      route={route}
      name="waiting"
      label="Subjects"
      any="waiting or not"
      options={[
        ["true", "waits for an artifact"],
        ["false", "waits for none"]
      ]}
    />
  </search>
)

const None = () => (
  <div class="note">
    <strong>No evidence files yet</strong>
    <p>
      An evidence file is what a tool wrote: provenance, a bill of materials, a scan, test results.
      It is recognised by its content, verified by the trust policy, and linked to the artifacts
      that it is about.
    </p>
  </div>
)

/** The link to the trust policy, and the button that opens the form for a file. */
const Aside = ({ org }: { readonly org: string }) => {
  const isSending = useSignal(false)
  const set = (value: boolean) => () => {
    isSending.value = value
  }
  return (
    <>
      <a href={Navigation.href("TrustPolicy", { org })}>Trust policy</a>
      {Session.may(org, "evidence.write") ? (
        <button type="button" class="button" onClick={set(true)}>
          Send a file…
        </button>
      ) : null}
      {isSending.value ? <SendEvidence org={org} onClose={set(false)} /> : null}
    </>
  )
}

export const EvidencePage = ({ route }: PageProps<Route.RouteOf<"Evidence">>) => {
  const { org } = route.params
  const fingerprint = Route.parameter(route, "fingerprint")?.trim().toLowerCase()
  const params = {
    org,
    query: {
      page: pageOf(route),
      per_page: PER_PAGE,
      kind: Route.parameter(route, "kind"),
      state: Route.parameter(route, "state"),
      waiting: Route.parameter(route, "waiting"),
      fingerprint: fingerprint?.replace(/^sha256:/, "")
    }
  }
  const state = useQuery("evidence.list", params)
  return (
    <Page name="Evidence" org={org} aside={<Aside org={org} />}>
      <Filters route={route} />
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("evidence.list", params).path)}
      >
        {({ documents, total_count }) =>
          documents.length === 0 ? (
            isFiltered(route, FILTERS) ? (
              <NothingFits what="evidence" names={FILTERS} />
            ) : (
              <None />
            )
          ) : (
            <>
              <VirtualTable
                caption="Evidence"
                columns={columnsOf(org)}
                rows={documents}
                keyOf={({ digest, position }) => `${digest} ${position}`}
                rowHeight={preferences.value.density === "compact" ? 28 : 36}
              />
              <Pager route={route} perPage={PER_PAGE} total={total_count} what="evidence" />
            </>
          )
        }
      </QueryView>
    </Page>
  )
}
