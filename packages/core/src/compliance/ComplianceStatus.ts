/**
 * The words and shapes of compliance, in the spelling of the wire.
 *
 * The caller of an evaluation adds its instant and the version of the template.
 */
import * as Schema from "effect/Schema"
import * as Dictionary from "../shared/Dictionary.js"

/** The status of a trail or of one artifact record. */
export const Status = Schema.Literal("COMPLIANT", "NON-COMPLIANT", "INCOMPLETE")
/** The status of a trail or of one artifact record. */
export type Status = typeof Status.Type

/** The status of a slot; `MISSING` without an artifact. */
export const SlotStatus = Schema.Literal(...Status.literals, "MISSING")
/** The status of a slot. */
export type SlotStatus = typeof SlotStatus.Type

/**
 * One attestation that is expected, reported, or both. `MISSING` has no id and no outcome, and is never
 * unexpected. An override has its own id and, where there is one, the id of the overridden attestation.
 */
export const AttestationStatus = Schema.Struct({
  attestation_name: Schema.String,
  attestation_type: Schema.String,
  attestation_id: Schema.NullOr(Schema.String),
  overridden_attestation_id: Schema.NullOr(Schema.String),
  status: Schema.Literal("COMPLETE", "MISSING"),
  is_compliant: Schema.NullOr(Schema.Boolean),
  unexpected: Schema.Boolean
}).annotations({ identifier: "AttestationStatus" })
/** One attestation that is expected, reported, or both. */
export type AttestationStatus = typeof AttestationStatus.Type

/** One slot of a trail, with the status of its newest record. */
export const ArtifactStatus = Schema.Struct({
  artifact_fingerprint: Schema.NullOr(Schema.String),
  artifact_id: Schema.NullOr(Schema.String),
  status: SlotStatus,
  is_compliant: Schema.NullOr(Schema.Boolean),
  attestations_statuses: Schema.Array(AttestationStatus),
  unexpected: Schema.Boolean
}).annotations({ identifier: "ArtifactStatus" })
/** One slot of a trail, with the status of its newest record. */
export type ArtifactStatus = typeof ArtifactStatus.Type

/** A trail: its own attestations, and its slots by name. */
export const TrailStatus = Schema.Struct({
  status: Status,
  is_compliant: Schema.Boolean,
  attestations_statuses: Schema.Array(AttestationStatus),
  artifacts_statuses: Dictionary.make({
    key: Schema.String,
    value: ArtifactStatus,
    members: { type: "object" }
  })
}).annotations({ identifier: "TrailStatus" })
/** A trail: its own attestations, and its slots by name. */
export type TrailStatus = typeof TrailStatus.Type

/** One attestation that makes a record non-compliant in its flow. */
export const FlowReason = Schema.Struct({
  type: Schema.Literal("missing_attestation", "non_compliant_attestation"),
  level: Schema.Literal("trail", "artifact"),
  attestation_name: Schema.String,
  attestation_type: Schema.String
}).annotations({ identifier: "FlowReason" })
/** One attestation that makes a record non-compliant in its flow. */
export type FlowReason = typeof FlowReason.Type

/** One record, also when its slot has a newer one: environments evaluate an artifact by its own record. */
export const RecordStatus = Schema.Struct({
  artifact_id: Schema.String,
  artifact_fingerprint: Schema.String,
  template_reference_name: Schema.String,
  status: Status,
  is_compliant: Schema.Boolean,
  attestations_statuses: Schema.Array(AttestationStatus),
  /** Empty exactly when the record is compliant. */
  flow_reasons_for_non_compliance: Schema.Array(FlowReason)
}).annotations({ identifier: "RecordStatus" })
/** One record, also when its slot has a newer one. */
export type RecordStatus = typeof RecordStatus.Type

const isUnexpected = ({ unexpected }: { readonly unexpected: boolean }): boolean => unexpected

/** Whether no template asks anything of a trail, so that it is compliant without any evidence. */
export const expectsNothing = ({
  artifacts_statuses,
  attestations_statuses
}: Pick<TrailStatus, "artifacts_statuses" | "attestations_statuses">): boolean =>
  attestations_statuses.every(isUnexpected) && Object.values(artifacts_statuses).every(isUnexpected)

/** The status of a set of entries: failing before missing; an empty set is compliant. */
export const rollUp = (entries: Iterable<AttestationStatus>): Status => {
  let status: Status = "COMPLIANT"
  for (const entry of entries) {
    if (entry.is_compliant === false) return "NON-COMPLIANT"
    if (entry.status === "MISSING") status = "INCOMPLETE"
  }
  return status
}

const severity = { COMPLIANT: 0, INCOMPLETE: 1, "NON-COMPLIANT": 2 } as const

/** The worse of two statuses. */
export const worse = (left: Status, right: Status): Status =>
  severity[left] < severity[right] ? right : left

/** The entries, of the artifact or of its trail, that make it non-compliant. */
export const reasons = (
  level: FlowReason["level"],
  entries: ReadonlyArray<AttestationStatus>
): ReadonlyArray<FlowReason> =>
  entries
    .filter(({ is_compliant }) => is_compliant !== true)
    .map(({ status, attestation_name, attestation_type }) => ({
      type: status === "MISSING" ? "missing_attestation" : "non_compliant_attestation",
      level,
      attestation_name,
      attestation_type
    }))
