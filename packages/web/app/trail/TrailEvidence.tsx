/** The evidence of a trail: about the trail itself, and about each slot with its artifact. */
import type * as Route from "@attestry/web/Route"
import { EvidenceList } from "../attestation/EvidenceList.js"
import { ArtifactLink, SnapshotLink } from "../shared/AddressLinks.js"
import type { Attestation, Trail } from "../shared/Contract.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Timestamp } from "../shared/Timestamp.js"
import { fromStatus } from "../shared/Verdict.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { sightingsOf } from "./TrailText.js"

type SlotStatus = Trail["compliance_status"]["artifacts_statuses"][string]

/** The filename that an artifact was reported with. */
const nameOf = ({ events }: Trail, fingerprint: string): string => {
  for (const event of [...events].reverse())
    if (event.type === "artifact_creation_reported" && event.artifact_fingerprint === fingerprint)
      return event.artifact_name
  return fingerprint
}

const Where = ({
  org,
  trail,
  fingerprint
}: {
  readonly org: string
  readonly trail: Trail
  readonly fingerprint: string
}) => (
  <ul class="line">
    {sightingsOf(trail.events, fingerprint).map(({ environment, index, at, isRunning }) => (
      <li key={environment} class={isRunning ? "" : "quiet"}>
        {isRunning ? "runs in " : "ran in "}
        <SnapshotLink org={org} environment={environment} index={index} />{" "}
        {isRunning ? "since " : "until "}
        <Timestamp seconds={at} />
      </li>
    ))}
  </ul>
)

const Slot = ({
  org,
  trail,
  name,
  status
}: {
  readonly org: string
  readonly trail: Trail
  readonly name: string
  readonly status: SlotStatus
}) => {
  const { artifact_fingerprint: fingerprint } = status
  return (
    <div class="slot-head">
      <h2>
        <VerdictMark verdict={fromStatus(status.status)} /> Artifact <RevealedText text={name} />
        {status.unexpected ? <span class="tag">not in the template</span> : null}
      </h2>
      {fingerprint === null ? (
        <p class="quiet">No artifact was reported for this slot yet.</p>
      ) : (
        <>
          <ArtifactLink
            org={org}
            flow={trail.flow.name}
            fingerprint={fingerprint}
            name={nameOf(trail, fingerprint)}
          />
          <Where org={org} trail={trail} fingerprint={fingerprint} />
        </>
      )}
    </div>
  )
}

export const TrailEvidence = ({
  route,
  org,
  trail,
  reported
}: {
  readonly route: Route.Route
  readonly org: string
  readonly trail: Trail
  readonly reported: ReadonlyMap<string, Attestation>
}) => {
  const place = { org, flow: trail.flow.name, trail: trail.name }
  const { attestations_statuses, artifacts_statuses } = trail.compliance_status
  const slots = Object.entries(artifacts_statuses)
  return (
    <>
      {attestations_statuses.length > 0 || slots.length === 0 ? (
        <section class="block">
          <h2>Trail</h2>
          <EvidenceList
            route={route}
            entries={attestations_statuses}
            attestations={reported}
            place={{ ...place, fingerprint: undefined }}
          />
        </section>
      ) : null}
      {slots.map(([name, status]) => (
        <section key={name} class="block">
          <Slot org={org} trail={trail} name={name} status={status} />
          <EvidenceList
            route={route}
            entries={status.attestations_statuses}
            attestations={reported}
            place={{ ...place, fingerprint: status.artifact_fingerprint ?? undefined }}
          />
        </section>
      ))}
    </>
  )
}
