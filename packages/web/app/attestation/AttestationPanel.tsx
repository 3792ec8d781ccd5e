/** One attestation in a panel over the page that opened it: its content, its reporter, and its files. */
import * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import { DocumentLink } from "../evidence/EvidenceParts.js"
import { GraphLink } from "../exposure/GraphLink.js"
import { Proof } from "../log/Proof.js"
import * as Session from "../session/Session.js"
import { FlowLink, TrailLink, withAttestation } from "../shared/AddressLinks.js"
import { callOf } from "../shared/Api.js"
import type { AttachedFile, Attestation } from "../shared/Contract.js"
import * as Damaged from "../shared/Damaged.js"
import { ExternalLink } from "../shared/ExternalLink.js"
import { Facts } from "../shared/Facts.js"
import { Commit, Fingerprint } from "../shared/Fingerprint.js"
import { Fold } from "../shared/Fold.js"
import { JsonTree } from "../shared/JsonTree.js"
import { isFilled, member, membersOf, textOf } from "../shared/JsonValue.js"
import * as Navigation from "../shared/Navigation.js"
import { cache, useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { SidePanel } from "../shared/SidePanel.js"
import { Timestamp } from "../shared/Timestamp.js"
import { fromState } from "../shared/Verdict.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { type ResultTable, reasonOf, resultsOf, summaryOf } from "./AttestationSummary.js"
import { OverrideForm } from "./OverrideForm.js"

const close = () => Navigation.setQuery({ attestation_id: undefined })

const Results = ({ table }: { readonly table: ResultTable }) => (
  <section
    class="panel-scroller"
    aria-label="Results"
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls sideways must be reachable by the keyboard.
    tabIndex={0}
  >
    <table class="table">
      <caption class="visually-hidden">Results</caption>
      <thead>
        <tr>
          {table.columns.map((title) => (
            <th key={title} scope="col" class="cell">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map((row, index) => (
          <tr key={index}>
            {row.map((text, column) => (
              <td key={table.columns[column]} class="cell">
                {/^https?:/.test(text) ? (
                  <ExternalLink address={text} label={Shorten.middle(text, 40)} />
                ) : (
                  <RevealedText text={text} />
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

const sizeText = (bytes: number): string => {
  if (bytes < 1_000) return `${bytes} B`
  return bytes < 1_000_000
    ? `${(bytes / 1_000).toFixed(1)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`
}

const File = ({
  org,
  attestation,
  file
}: {
  readonly org: string
  readonly attestation: Attestation
  readonly file: AttachedFile
}) => {
  const { path } = callOf("attestation.evidence", {
    org,
    flow_name: attestation.flow_name,
    trail_name: attestation.trail_name,
    attestation_id: attestation.attestation_id,
    query: { fingerprint: file.fingerprint }
  })
  return (
    <li>
      <a href={`${Navigation.base}${path}`} download={file.filename}>
        <RevealedText text={file.filename} />
      </a>{" "}
      <span class="quiet">{sizeText(file.size)} · SHA-256</span>{" "}
      <Fingerprint value={file.fingerprint} />
    </li>
  )
}

const Scope = ({
  org,
  attestation
}: {
  readonly org: string
  readonly attestation: Attestation
}) => {
  const { flow_name: flow, trail_name: trail, artifact_fingerprint, target_artifacts } = attestation
  return (
    <>
      <FlowLink org={org} flow={flow} /> › <TrailLink org={org} flow={flow} trail={trail} />
      {(target_artifacts ?? []).map((slot) => (
        <span key={slot}>
          {" › "}
          <RevealedText text={slot} />
        </span>
      ))}
      {artifact_fingerprint === undefined ? null : (
        <>
          {" › "}
          <a
            href={Navigation.href("FlowArtifact", { org, flow, fingerprint: artifact_fingerprint })}
          >
            <code>{Shorten.fingerprint(artifact_fingerprint)}</code>
          </a>
        </>
      )}
    </>
  )
}

/** Other attestations with the same name on the trail: overrides, and earlier or later reports. */
const Others = ({
  org,
  attestation
}: {
  readonly org: string
  readonly attestation: Attestation
}) => {
  const { attestation_id, attestation_name: name, flow_name, trail_name } = attestation
  const known = knownOf(
    useQuery("attestation.list", {
      org,
      query: { flow_name, trail_name, name, page: 1, per_page: 100 }
    })
  )
  const others = Damaged.readable(known?.value.data ?? []).items.filter(
    (each) =>
      each.attestation_id !== attestation_id &&
      each.artifact_fingerprint === attestation.artifact_fingerprint
  )
  if (others.length === 0) return null
  return (
    <section class="block">
      <h3>Other records of this name</h3>
      <ul class="links">
        {others.map((each) => (
          <li key={each.attestation_id}>
            <VerdictMark verdict={fromState(each.is_compliant)} />{" "}
            <a href={withAttestation(Navigation.route.value, each.attestation_id)}>
              {each.is_override
                ? each.created_at > attestation.created_at
                  ? "replaced by an override"
                  : "an earlier override"
                : each.created_at > attestation.created_at
                  ? "reported again"
                  : "an earlier report"}
            </a>{" "}
            {each.is_override ? (
              <q>
                <RevealedText text={textOf(each.reason) ?? ""} />
              </q>
            ) : null}{" "}
            <span class="quiet">
              by <RevealedText text={each.reported_by} />, <Timestamp seconds={each.created_at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const Details = ({ title, value }: { readonly title: string; readonly value: unknown }) =>
  isFilled(value) ? <Fold title={title}>{() => <JsonTree value={value} />}</Fold> : null

/** The document of an evidence file that the attestation was made from. */
const evidenceFile = (org: string, { evidence_digest, evidence_position }: Attestation) =>
  evidence_digest === undefined ? undefined : (
    <DocumentLink
      org={org}
      document={{ digest: evidence_digest, position: evidence_position ?? 1 }}
    >
      <code>{Shorten.fingerprint(evidence_digest)}</code>
    </DocumentLink>
  )

/** The trail, the reporter and the origin of an attestation. */
const About = ({
  org,
  attestation
}: {
  readonly org: string
  readonly attestation: Attestation
}) => {
  const sha1 = textOf(member(attestation.git_commit_info, "sha1"))
  const control = textOf(attestation.control)
  const links = [...membersOf(attestation.external_urls)]
  return (
    <Facts
      facts={[
        [
          "On",
          <span key="on">
            <Scope org={org} attestation={attestation} />{" "}
            <GraphLink org={org} root={`attestation:${attestation.attestation_id}`} />
          </span>
        ],
        ["Type", <RevealedText key="type" text={attestation.attestation_type} />],
        [
          "Reported",
          <span key="reported">
            <Timestamp seconds={attestation.created_at} /> by{" "}
            <RevealedText text={attestation.reported_by} />
          </span>
        ],
        ["Evidence", evidenceFile(org, attestation)],
        ["Commit", sha1 === undefined ? undefined : <Commit value={sha1} />],
        [
          "Origin",
          attestation.origin_url === null ? undefined : (
            <ExternalLink address={attestation.origin_url} />
          )
        ],
        [
          "Control",
          control === undefined ? undefined : (
            <a href={Navigation.href("Control", { org, identifier: control })}>
              <RevealedText text={control} />
            </a>
          )
        ],
        [
          "Links",
          links.length === 0
            ? undefined
            : links.map(([name, link]) => (
                <span key={name}>
                  <ExternalLink address={textOf(member(link, "href")) ?? ""} label={name} />{" "}
                </span>
              ))
        ]
      ]}
    />
  )
}

const RawAndProof = ({
  org,
  attestation
}: {
  readonly org: string
  readonly attestation: Attestation
}) => (
  <>
    <Details title="Raw JSON" value={attestation} />
    <Proof org={org} subject={{ what: "attestation", id: attestation.attestation_id }} />
  </>
)

const Body = ({
  org,
  attestation
}: {
  readonly org: string
  readonly attestation: Attestation
}) => {
  const isOverriding = useSignal(false)
  const summary = summaryOf(attestation)
  const results = resultsOf(attestation)
  return (
    <>
      <p class="panel-lead">
        <VerdictMark verdict={fromState(attestation.is_compliant)} word />
        {summary === "" ? null : (
          <>
            {" · "}
            <RevealedText text={summary} />
          </>
        )}
      </p>
      <p class="quiet">{reasonOf(attestation)}</p>
      {results === undefined ? null : <Results table={results} />}
      <About org={org} attestation={attestation} />
      {attestation.attachments.length === 0 ? null : (
        <section class="block">
          <h3>Files</h3>
          <ul class="links">
            {attestation.attachments.map((file) => (
              <File key={file.fingerprint} org={org} attestation={attestation} file={file} />
            ))}
          </ul>
        </section>
      )}
      <Others org={org} attestation={attestation} />
      <section class="block">
        <Details title="Commit" value={attestation.git_commit_info} />
        <Details title="User data" value={attestation.user_data} />
        <RawAndProof org={org} attestation={attestation} />
      </section>
      {!Session.may(org, "attestation.write") ? null : isOverriding.value ? (
        <OverrideForm
          org={org}
          attestation={attestation}
          onDone={() => {
            isOverriding.value = false
          }}
        />
      ) : (
        <p class="block">
          <button
            type="button"
            class="button"
            onClick={() => {
              isOverriding.value = true
            }}
          >
            Override…
          </button>
        </p>
      )}
    </>
  )
}

export const AttestationPanel = ({ org, id }: { readonly org: string; readonly id: string }) => {
  const params = { org, query: { attestation_id: id, page: 1, per_page: 1 } }
  const state = useQuery("attestation.list", params)
  const found = knownOf(state)?.value.data.find((each) => !Damaged.isDamaged(each))
  return (
    <SidePanel
      title={
        found === undefined ? (
          "Attestation"
        ) : (
          <>
            <RevealedText text={found.attestation_name} />
            {found.is_override ? <span class="tag">override</span> : null}
          </>
        )
      }
      onClose={close}
    >
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("attestation.list", params).path)}
      >
        {({ data }) => {
          const [attestation] = Damaged.readable(data).items
          if (attestation === undefined)
            return (
              <p>
                There is no attestation <code>{id}</code> in this org that can be shown.
              </p>
            )
          return <Body key={attestation.attestation_id} org={org} attestation={attestation} />
        }}
      </QueryView>
    </SidePanel>
  )
}

/** Shows the panel if the URL names an attestation. */
export const OpenAttestation = ({
  org,
  route
}: {
  readonly org: string
  readonly route: Route.Route
}) => {
  const id = Route.parameter(route, "attestation_id")
  return id === undefined ? null : <AttestationPanel key="panel" org={org} id={id} />
}
