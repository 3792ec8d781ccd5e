/**
 * An attestation in a response: its reported fields under their original names, and its evaluation.
 *
 * Which of the reported fields it has follows from its type. The order of its fields is that of the report.
 */
import { Attachment } from "@attestry/core/Attestation"
import * as Payload from "@attestry/core/AttestationPayload"
import { Annotations, ExternalUrls, UserData } from "@attestry/core/Evidence"
import { EvidenceVerification } from "@attestry/core/EvidenceVerification"
import { Fingerprint } from "@attestry/core/Fingerprint"
import { GitCommitInfo, RepoInfo } from "@attestry/core/GitCommit"
import { AttestationId, FlowName, TargetSlotName, TrailName } from "@attestry/core/Identifier"
import * as SchemaFastPath from "@attestry/core/SchemaFastPath"
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as Schema from "effect/Schema"
import { SurrogateAnnotationId } from "effect/SchemaAST"

/**
 * A value that was checked when it was reported, of the type of its schema; a response repeats it unchanged.
 *
 * WHY without a check: a result keeps members that its schema does not have, and parts of it may be erased.
 */
const asReported = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.declare((_input: unknown): _input is A => true, {
    [SurrogateAnnotationId]: Schema.typeSchema(schema).ast,
    ...SchemaFastPath.guardedBy(() => true)
  })

const reported = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.optionalWith(asReported(schema), { exact: true })

const Link = Schema.Struct({ href: Schema.String })

/** The reported fields of any type. */
const anyReport = {
  artifact_fingerprint: reported(Fingerprint),
  repo_info: reported(RepoInfo),
  external_urls: reported(ExternalUrls),
  description: reported(Schema.String),
  annotations: reported(Annotations)
}

/** The reported fields of single types, and the versions that decided their outcomes. */
const typedReport = {
  junit_results: reported(Payload.JunitPayload.fields.junit_results),
  snyk_results: reported(Payload.SnykPayload.fields.snyk_results),
  processed_snyk_results: reported(Payload.SnykPayload.fields.snyk_results),
  sonar_results: reported(Payload.SonarPayload.fields.sonar_results),
  jira_results: reported(Payload.JiraPayload.fields.jira_results),
  git_provider: reported(Payload.PullRequestPayload.fields.git_provider),
  pull_requests: reported(Payload.PullRequestPayload.fields.pull_requests),
  /** The agent accounts of the org that are among the authors and approvers of the pull requests. */
  agents: reported(Schema.Array(Schema.Struct({ username: Schema.String }))),
  /** The name of a custom or of a system type. */
  type_name: reported(Schema.String),
  /** The version of the custom type that decided the outcome. */
  type_version: reported(Schema.Int),
  /** The data of a custom or of a system type. */
  attestation_data: Schema.optionalWith(Schema.Unknown, { exact: true }),
  control: reported(Payload.DecisionPayload.fields.control),
  /** The version of the control at the report; null where there was no such control. */
  control_version: reported(Schema.NullOr(Schema.Int)),
  /** The result of verification, the file and the place in it, of an attestation that was made for an evidence file. */
  verification: reported(EvidenceVerification),
  evidence_digest: reported(Fingerprint),
  evidence_position: reported(Schema.Int),
  reason: reported(Schema.String),
  new_compliance_status: reported(Schema.Boolean),
  original_attestation_type: reported(Schema.String)
}

/** An attestation: the common fields, then those of its type. */
export const AttestationResponse = Schema.Struct({
  schema_version: Schema.Int,
  origin_url: Schema.NullOr(Schema.String),
  git_commit_info: asReported(Schema.NullOr(GitCommitInfo)),
  user_data: asReported(UserData),
  ...anyReport,
  ...typedReport,
  attestation_id: AttestationId,
  attestation_type: Schema.String,
  attestation_name: Schema.String,
  is_compliant: Schema.Boolean,
  is_override: Schema.Boolean,
  target_artifacts: Schema.Array(TargetSlotName),
  created_at: EpochSeconds,
  reported_by: Schema.String,
  flow_name: FlowName,
  trail_name: TrailName,
  html_url: Schema.String,
  has_audit_package: Schema.Boolean,
  evidence_archive_path: Schema.String,
  evidence_archive_fingerprint: Schema.String,
  attachments: Schema.Array(Schema.Struct({ ...Attachment.fields, href: Schema.String })),
  _links: Schema.Struct({ self: Link, evidence: Schema.optionalWith(Link, { exact: true }) })
}).annotations({
  identifier: "Attestation",
  description: "The reported attestation, under the names it was sent with, and its outcome",
  parseOptions: { propertyOrder: "original" }
})
