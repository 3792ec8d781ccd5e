/**
 * The events of a trail in a response, one shape for each type. SPEC §2.14
 *
 * A field that some entries lack is optional; fields that a shape does not have are left out.
 */
import { JsonObject } from "@attestry/core/Evidence"
import { VerificationState } from "@attestry/core/EvidenceVerification"
import { GitCommitInfo } from "@attestry/core/GitCommit"
import { Tags } from "@attestry/core/Tags"
import * as Schema from "effect/Schema"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

const NullableString = Schema.NullOr(Schema.String)

/** A repository in an event: as it is stored, or as it was reported. */
const EventRepo = Schema.Struct({
  inner_id: optional(Schema.String),
  id: optional(NullableString),
  org_id: optional(Schema.String),
  repo_id: optional(NullableString),
  name: Schema.String,
  url: Schema.String,
  provider: optional(NullableString),
  description: optional(NullableString),
  vcs_instance: optional(NullableString),
  namespace_path: optional(Schema.NullOr(Schema.Array(Schema.String))),
  additional_info: optional(Schema.NullOr(JsonObject)),
  created_at: optional(Schema.Number),
  last_modified_at: optional(Schema.Number),
  tags: optional(Tags)
}).annotations({ identifier: "TrailEventRepo" })

const TrailData = {
  org_id: Schema.String,
  flow_id: Schema.String,
  name: Schema.String,
  creating_user_id: Schema.String,
  description: NullableString,
  git_commit_info: Schema.NullOr(GitCommitInfo),
  template_id: NullableString,
  origin_url: NullableString,
  /** The user data as JSON text. */
  user_data: Schema.String,
  repo_ids: Schema.Array(Schema.String)
}

/** The fields of a new trail. */
const ReportedTrail = Schema.Struct({
  ...TrailData,
  template_id: optional(TrailData.template_id),
  repo_ids: optional(TrailData.repo_ids)
}).annotations({ identifier: "TrailEventData" })

/** The changes of an update. */
const UpdatedTrail = Schema.partialWith(Schema.Struct(TrailData), { exact: true }).annotations({
  identifier: "TrailEventChange"
})

const event = <const Type extends string, Fields extends Schema.Struct.Fields>(
  type: Type,
  fields: Fields
) =>
  Schema.Struct({
    org_id: Schema.String,
    flow_id: Schema.String,
    trail_id: Schema.String,
    timestamp: Schema.Number,
    type: Schema.Literal(type),
    git_commit_info: Schema.NullOr(GitCommitInfo),
    repo_info: Schema.NullOr(EventRepo),
    ...fields
  })

const attested = {
  attestation_type: Schema.String,
  is_compliant: Schema.Boolean,
  attestation_id: Schema.String,
  template_reference_name: Schema.String,
  is_reattestation: Schema.NullOr(Schema.Boolean),
  /** The state of the evidence file; null for an attestation without one. */
  verification_state: Schema.NullOr(VerificationState),
  target_artifact: optional(NullableString)
}

const ran = {
  artifact_fingerprint: Schema.String,
  environment_id: Schema.String,
  environment_name: Schema.String,
  snapshot_index: Schema.Int,
  template_reference_name: optional(NullableString)
}

/** An event of a trail. */
export const TrailEvent = Schema.Union(
  event("trail_reported", { setting_user_id: Schema.String, trail_data_json: ReportedTrail }),
  event("trail_updated", {
    setting_user_id: Schema.String,
    trail_data_json: UpdatedTrail,
    changes: Schema.Array(Schema.String)
  }),
  event("trail_attestation_reported", attested),
  event("trail_attestation_for_artifact_reported", attested),
  event("artifact_attestation_reported", {
    ...attested,
    artifact_fingerprint: optional(Schema.String),
    artifact_name: optional(NullableString)
  }),
  event("artifact_creation_reported", {
    artifact_fingerprint: Schema.String,
    artifact_name: Schema.String,
    artifact_id: Schema.String,
    template_reference_name: Schema.String,
    git_commit: NullableString,
    origin_url: NullableString
  }),
  event("artifact_started_running", { ...ran, replica_number: optional(Schema.Int) }),
  event("artifact_stopped_running", ran),
  event("artifact_approval_reported", {
    artifact_fingerprint: Schema.String,
    approval_id: Schema.String,
    approval_number: Schema.Int,
    environment_id: optional(NullableString),
    state: Schema.String,
    reviewer: optional(NullableString)
  })
).annotations({ identifier: "TrailEvent" })
/** An event of a trail. */
export type TrailEvent = typeof TrailEvent.Type
