/**
 * Which triggers fire when something is stored about a trail, with the notification of each. SPEC §6.1
 *
 * Pure: the caller reads the status of the trail and the artifact.
 */
import type { Status } from "../../compliance/ComplianceStatus.js"
import {
  AttestationId,
  type FlowName,
  type OrgName,
  type TrailId,
  type TrailName
} from "../../shared/Identifier.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import type { TrailOccurrence } from "../../trail/internal/TrailListener.js"
import type { FlowTrigger } from "../FlowNotification.js"
import type { NotifiedArtifact, TrailNotification } from "../Notification.js"
import type { Firing } from "./NotificationTrigger.js"

/** A trail, when something was stored about it. */
export interface TrailTriggerInput {
  readonly org: OrgName
  readonly at: Timestamp
  readonly flow: FlowName
  readonly trailId: TrailId
  readonly trail: { readonly name: TrailName; readonly status: Status }
  /** The artifact that it is about, as far as the trail knows it. */
  readonly artifact: NotifiedArtifact | null
}

/** A firing of a trigger of flows. */
export interface TrailFiring extends Firing {
  readonly trigger: FlowTrigger
}

const TRIGGERS = {
  TrailBegun: { trigger: "ON_STARTED_TRAIL", event_type: "TRAIL_STARTED" },
  ArtifactReported: { trigger: "ON_ATTESTED_PROVENANCE", event_type: "ARTIFACT_ATTESTED" },
  AttestationReported: { trigger: "ON_ATTESTATION", event_type: "ATTESTATION_REPORTED" },
  ApprovalRecorded: { trigger: "ON_APPROVAL", event_type: "APPROVAL_REPORTED" }
} as const

/** The trigger that an occurrence fires. */
export const triggerOf = ({ _tag }: TrailOccurrence): FlowTrigger => TRIGGERS[_tag].trigger

const describe = (
  occurrence: TrailOccurrence,
  { flow, trail, artifact }: TrailTriggerInput
): string => {
  const place = `trail ${trail.name} of flow ${flow}`
  switch (occurrence._tag) {
    case "TrailBegun":
      return `${place} was begun`
    case "ArtifactReported":
      return `${artifact?.name ?? occurrence.fingerprint} was reported to ${place}`
    case "ApprovalRecorded":
      return `an approval of ${artifact?.name ?? occurrence.fingerprint} was recorded on ${place}`
    case "AttestationReported": {
      const { name, isCompliant } = occurrence.attestation
      return `attestation ${name} was reported to ${place}: ${isCompliant ? "" : "not "}compliant`
    }
  }
}

const keyOf = (occurrence: TrailOccurrence, { trailId }: TrailTriggerInput): string => {
  switch (occurrence._tag) {
    case "TrailBegun":
      return trailId
    case "AttestationReported":
      return occurrence.attestation.id
    default:
      return occurrence.id
  }
}

const attestationOf = (occurrence: TrailOccurrence): TrailNotification["attestation"] => {
  if (occurrence._tag !== "AttestationReported") return null
  const { id, name, type, isCompliant } = occurrence.attestation
  return { id: AttestationId.make(id), name, type, is_compliant: isCompliant }
}

/** What an occurrence fires. Keys are equal exactly when the same thing was stored. */
export const firingOf = (occurrence: TrailOccurrence, input: TrailTriggerInput): TrailFiring => {
  const { trigger, event_type } = TRIGGERS[occurrence._tag]
  const { org, at, flow, trail, artifact } = input
  return {
    trigger,
    key: `${trigger} ${keyOf(occurrence, input)}`,
    notification: {
      event_type,
      org,
      at,
      description: describe(occurrence, input),
      flow,
      trail,
      artifact: occurrence._tag === "TrailBegun" ? null : artifact,
      attestation: attestationOf(occurrence)
    }
  }
}
