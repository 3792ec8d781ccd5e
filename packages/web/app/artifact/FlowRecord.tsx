/** One flow's evidence about an artifact, and the artifact's origin. */
import type * as Route from "@attestry/web/Route"
import { byId, EvidenceList } from "../attestation/EvidenceList.js"
import { AuditPackage } from "../audit-package/AuditPackage.js"
import { builderOf } from "../exposure/ExposureSubject.js"
import { GraphLink } from "../exposure/GraphLink.js"
import { WhereLink } from "../exposure/WhereLink.js"
import { Proof } from "../log/Proof.js"
import { FlowLink, TrailLink } from "../shared/AddressLinks.js"
import { callOf } from "../shared/Api.js"
import type { Artifact, Trail } from "../shared/Contract.js"
import * as Damaged from "../shared/Damaged.js"
import { ExternalLink } from "../shared/ExternalLink.js"
import { Facts } from "../shared/Facts.js"
import { Commit } from "../shared/Fingerprint.js"
import { Fold } from "../shared/Fold.js"
import { JsonTree } from "../shared/JsonTree.js"
import { isFilled, textOf } from "../shared/JsonValue.js"
import { cache, useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Timestamp } from "../shared/Timestamp.js"
import { fromStatus } from "../shared/Verdict.js"
import { VerdictMark } from "../shared/VerdictMark.js"

const Provenance = ({ org, artifact }: { readonly org: string; readonly artifact: Artifact }) => {
  const { git_commit, git_commit_info: commit, flow_name: flow, trail_name: trail } = artifact
  const author = textOf(commit?.author)
  const builder = builderOf(artifact.build_url)
  return (
    <Facts
      facts={[
        [
          "Trail",
          <span key="trail">
            <FlowLink org={org} flow={flow} /> › <TrailLink org={org} flow={flow} trail={trail} /> ›{" "}
            <RevealedText text={artifact.template_reference_name} />
          </span>
        ],
        [
          "Commit",
          git_commit === "" ? undefined : (
            <span key="commit">
              <Commit value={git_commit} />{" "}
              <WhereLink org={org} subject={{ name: "commit", value: git_commit }} />{" "}
              <GraphLink org={org} root={`commit:${git_commit}`} />
            </span>
          )
        ],
        [
          "Change",
          textOf(commit?.message) === undefined ? undefined : (
            <RevealedText text={textOf(commit?.message)?.split("\n")[0] ?? ""} />
          )
        ],
        [
          "Author",
          author === undefined ? undefined : (
            <span key="author">
              <RevealedText text={[author, textOf(commit?.branch)].filter(Boolean).join(", ")} />{" "}
              <WhereLink org={org} subject={{ name: "author", value: author }} />
            </span>
          )
        ],
        ["Source", <ExternalLink key="source" address={artifact.commit_url} />],
        [
          "Build",
          <span key="build">
            <ExternalLink address={artifact.build_url} />{" "}
            {builder === undefined ? null : (
              <WhereLink org={org} subject={{ name: "builder", value: builder }} />
            )}
          </span>
        ],
        [
          "Reported",
          <span key="reported">
            <Timestamp seconds={artifact.created_at} /> by{" "}
            <RevealedText text={artifact.created_by} />
          </span>
        ]
      ]}
    />
  )
}

/** The entries of this record and of its trail; undefined if the slot has a newer record. */
const entriesOf = ({ compliance_status }: Trail, { id, template_reference_name }: Artifact) => {
  const slot = Object.entries(compliance_status.artifacts_statuses).find(
    ([name]) => name === template_reference_name
  )?.[1]
  return slot?.artifact_id === id
    ? [...slot.attestations_statuses, ...compliance_status.attestations_statuses]
    : undefined
}

const Evidence = ({
  org,
  route,
  artifact
}: {
  readonly org: string
  readonly route: Route.Route
  readonly artifact: Artifact
}) => {
  const { flow_name, trail_name, fingerprint } = artifact
  const of = { org, flow_name, trail_name }
  const state = useQuery("trail.get", of)
  const reported = knownOf(
    useQuery("attestation.list", { org, query: { flow_name, trail_name, page: 1, per_page: 100 } })
  )
  return (
    <QueryView state={state} retry={() => void cache.refresh(callOf("trail.get", of).path)}>
      {(trail) => {
        const entries = entriesOf(trail, artifact)
        return entries === undefined ? (
          <p class="quiet">
            The slot has a newer artifact; the evidence of this one is on its{" "}
            <TrailLink org={org} flow={flow_name} trail={trail_name} />.
          </p>
        ) : (
          <EvidenceList
            route={route}
            entries={entries}
            attestations={byId(Damaged.readable(reported?.value.data ?? []).items)}
            place={{ org, flow: flow_name, trail: trail_name, fingerprint }}
          />
        )
      }}
    </QueryView>
  )
}

const More = ({ artifact }: { readonly artifact: Artifact }) => {
  const { annotations, external_urls, user_data } = artifact
  return (
    <>
      {isFilled(annotations) ? (
        <Fold title="Annotations">{() => <JsonTree value={annotations} />}</Fold>
      ) : null}
      {isFilled(external_urls) ? (
        <Fold title="External links">{() => <JsonTree value={external_urls} />}</Fold>
      ) : null}
      {isFilled(user_data) ? (
        <Fold title="User data">{() => <JsonTree value={user_data} />}</Fold>
      ) : null}
      <Fold title="Raw JSON">{() => <JsonTree value={artifact} />}</Fold>
    </>
  )
}

/** The evidence and the origin of one record. */
export const FlowRecord = ({
  org,
  route,
  artifact
}: {
  readonly org: string
  readonly route: Route.Route
  readonly artifact: Artifact
}) => (
  <>
    <div class="record">
      <section class="block">
        <h2>Provenance</h2>
        <Provenance org={org} artifact={artifact} />
        <More artifact={artifact} />
        <Proof
          org={org}
          subject={{
            what: "artifact",
            id: artifact.id,
            fingerprint: artifact.fingerprint,
            flow: artifact.flow_name
          }}
        />
      </section>
      <section class="block">
        <h2>
          Evidence{" "}
          <span class="record-mark">
            <VerdictMark verdict={fromStatus(artifact.state)} word />
          </span>
        </h2>
        <Evidence org={org} route={route} artifact={artifact} />
      </section>
    </div>
    <AuditPackage org={org} flow={artifact.flow_name} fingerprint={artifact.fingerprint} />
  </>
)

/** Loads the newest record of a flow and renders it. */
export const FlowRecordOf = ({
  org,
  route,
  flow,
  fingerprint
}: {
  readonly org: string
  readonly route: Route.Route
  readonly flow: string
  readonly fingerprint: string
}) => {
  const params = { org, flow_name: flow, fingerprint }
  const state = useQuery("artifact.get", params)
  return (
    <QueryView state={state} retry={() => void cache.refresh(callOf("artifact.get", params).path)}>
      {(artifact) => <FlowRecord org={org} route={route} artifact={artifact} />}
    </QueryView>
  )
}
