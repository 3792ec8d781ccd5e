/** A fingerprint across all flows: its origin and where it ran. An abbreviated fingerprint lists its candidates. */
import type * as Route from "@attestry/web/Route"
import { OpenAttestation } from "../attestation/AttestationPanel.js"
import { ArtifactComponents } from "../component/ArtifactComponents.js"
import { WhereItRan } from "../exposure/ExposureLanes.js"
import { GraphLink } from "../exposure/GraphLink.js"
import type { PageProps } from "../pages.js"
import { ArtifactLink, FlowLink } from "../shared/AddressLinks.js"
import { callOf } from "../shared/Api.js"
import type { ShaSearch } from "../shared/Contract.js"
import { Fingerprint } from "../shared/Fingerprint.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { cache, useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { fromStatus } from "../shared/Verdict.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { FlowRecordOf } from "./FlowRecord.js"
import { WouldItPass } from "./WouldItPass.js"

type Found = ShaSearch["artifacts"][number]

/** The full fingerprint if the search has exactly one result. */
const meantBy = (found: ShaSearch, text: string): string | undefined => {
  const { fingerprints, commits } = found.resolved_to
  if (fingerprints.matches.includes(text)) return text
  const [only] = fingerprints.matches
  return fingerprints.matches.length === 1 && commits.matches.length === 0 ? only : undefined
}

const Matches = ({ org, found }: { readonly org: string; readonly found: ShaSearch }) => {
  const { fingerprints, commits } = found.resolved_to
  return (
    <>
      <p>
        {fingerprints.count + commits.count === 1
          ? "One record begins with this text."
          : `${fingerprints.count + commits.count} records begin with this text.`}
      </p>
      <ul class="links block">
        {found.artifacts.map(({ fingerprint, name, flow, git_commit, compliance_state }) => (
          <li key={`${fingerprint} ${flow}`} class="match">
            <VerdictMark verdict={fromStatus(compliance_state)} />
            <ArtifactLink org={org} flow={null} fingerprint={fingerprint} name={name} />
            <span class="quiet">
              {flow === "" ? "no provenance" : <RevealedText text={flow} />}
              {git_commit === "" ? "" : `, commit ${Shorten.commit(git_commit)}`}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

const NoProvenance = () => (
  <div class="note">
    <strong>No provenance</strong>
    <p>
      No flow has a record of this artifact. Its pipeline reports it, with its fingerprint, commit
      and build, with <code>attestry attest artifact</code>.
    </p>
  </div>
)

const Whole = ({
  org,
  route,
  fingerprint,
  artifacts
}: {
  readonly org: string
  readonly route: Route.Route
  readonly fingerprint: string
  readonly artifacts: ReadonlyArray<Found>
}) => {
  const flows = [
    ...new Set(artifacts.flatMap(({ has_provenance, flow }) => (has_provenance ? [flow] : [])))
  ]
  return (
    <>
      {flows.length === 0 ? <NoProvenance /> : null}
      {flows.map((flow) => (
        <section key={flow}>
          {flows.length > 1 ? (
            <h2 class="flow-title">
              In <FlowLink org={org} flow={flow} />
            </h2>
          ) : null}
          <FlowRecordOf org={org} route={route} flow={flow} fingerprint={fingerprint} />
        </section>
      ))}
      <WhereItRan
        org={org}
        subject={{ name: "fingerprint", value: fingerprint }}
        none="No environment has reported it."
      />
      {flows.length === 0 ? null : (
        <WouldItPass org={org} fingerprint={fingerprint} route={route} />
      )}
      <ArtifactComponents org={org} route={route} fingerprint={fingerprint} />
    </>
  )
}

const InFlows = ({ artifacts }: { readonly artifacts: ReadonlyArray<Found> }) => (
  <ul class="line">
    {artifacts
      .filter(({ has_provenance }) => has_provenance)
      .map(({ flow, compliance_state }) => (
        <li key={flow}>
          <VerdictMark verdict={fromStatus(compliance_state)} word /> in{" "}
          <RevealedText text={flow} />
        </li>
      ))}
  </ul>
)

export const ArtifactPage = ({ route }: PageProps<Route.RouteOf<"Artifact">>) => {
  const { org, fingerprint: text } = route.params
  const params = { org, value: text }
  const state = useQuery("search.sha", params)
  const found = knownOf(state)?.value
  const fingerprint = found === undefined ? undefined : meantBy(found, text)
  const own = found?.artifacts.filter((each) => each.fingerprint === (fingerprint ?? "")) ?? []
  const name = own[0]?.name ?? Shorten.middle(text, 20)
  return (
    <Page
      name={name}
      org={org}
      heading={<RevealedText text={name} />}
      aside={own.length === 0 ? null : <InFlows artifacts={own} />}
    >
      {fingerprint === undefined ? null : (
        <p class="whole-fingerprint">
          <Fingerprint value={fingerprint} whole />{" "}
          <GraphLink org={org} root={`fingerprint:${fingerprint}`} />
        </p>
      )}
      {state._tag === "Failed" && state.problem.kind === "missing" ? (
        <div class="note">
          <strong>Nothing is known of this fingerprint</strong>
          <p>
            No flow of {org} has reported an artifact or a commit that begins with{" "}
            <code>
              <RevealedText text={Shorten.middle(text, 70)} />
            </code>
            , and no environment runs one.{" "}
            <a href={Navigation.href("Artifacts", { org })}>All artifacts</a>
          </p>
        </div>
      ) : (
        <QueryView
          state={state}
          retry={() => void cache.refresh(callOf("search.sha", params).path)}
        >
          {(value) =>
            fingerprint === undefined ? (
              <Matches org={org} found={value} />
            ) : (
              <Whole org={org} route={route} fingerprint={fingerprint} artifacts={own} />
            )
          }
        </QueryView>
      )}
      <OpenAttestation org={org} route={route} />
    </Page>
  )
}
