/**
 * A deployment: a fingerprint that starts to run in a physical environment. SPEC §4.12
 *
 * Deployments are not declared; they derive from snapshots. `NewDeployments` decides which rows are deployments
 * when a snapshot is appended.
 */
import * as Schema from "effect/Schema"
import { Fingerprint } from "../artifact/Fingerprint.js"
import { GitCommitInfo } from "../shared/GitCommit.js"
import { EnvironmentName, FlowName, OrgName, SlotName, TrailName } from "../shared/Identifier.js"
import { EpochSeconds, fromMicros, type Timestamp, toSeconds } from "../shared/Timestamp.js"
import { Verdict } from "../shared/Verdict.js"

/** The artifact that a deployed one replaces. */
export const ReplacedArtifact = Schema.Struct({
  name: Schema.String,
  fingerprint: Fingerprint
}).annotations({ identifier: "ReplacedArtifact" })

/** The repository that a record names. */
export const DeployedRepo = Schema.Struct({
  name: Schema.String,
  repo_id: Schema.NullOr(Schema.String)
}).annotations({ identifier: "DeployedRepo" })

/** What a flow knows about a deployed artifact, from one record. */
export const DeployedArtifact = Schema.Struct({
  flow_name: Schema.NullOr(FlowName),
  trail_name: TrailName,
  template_reference_name: SlotName,
  git_commit: Schema.NullOr(Schema.String),
  git_commit_info: Schema.NullOr(GitCommitInfo),
  repo_info: Schema.NullOr(DeployedRepo)
}).annotations({ identifier: "DeployedArtifact" })
/** What a flow knows about a deployed artifact. */
export type DeployedArtifact = typeof DeployedArtifact.Type

/** The predecessor of a deployed artifact, with the snapshot in which it began to run. SPEC §3.17 */
export const DeploymentPredecessor = Schema.Struct({
  fingerprint: Fingerprint,
  artifact_name: Schema.String,
  snapshot_index: Schema.NullOr(Schema.Int),
  artifact: Schema.NullOr(DeployedArtifact)
}).annotations({ identifier: "DeploymentPredecessor" })
/** The predecessor of a deployed artifact. */
export type DeploymentPredecessor = typeof DeploymentPredecessor.Type

/** One deployment. Fields that need provenance are null without it. */
export const Deployment = Schema.Struct({
  id: Schema.String,
  environment: EnvironmentName,
  /** The same as `environment`. Clients read either name. */
  env_name: EnvironmentName,
  fingerprint: Fingerprint,
  name: Schema.String,
  /** The same as `name`. */
  artifact_name: Schema.String,
  flow_name: Schema.NullOr(FlowName),
  trail_name: Schema.NullOr(TrailName),
  git_commit: Schema.NullOr(Schema.String),
  commit_url: Schema.NullOr(Schema.String),
  snapshot_index: Schema.Int,
  deployed_at: EpochSeconds,
  lead_time_seconds: Schema.NullOr(Schema.Finite),
  compliant: Schema.Boolean,
  /** The verdict of the row, of which `compliant` says whether it is `Compliant`. */
  verdict: Verdict,
  replaced: Schema.NullOr(ReplacedArtifact),
  /** The record in the primary flow. */
  artifact: Schema.NullOr(DeployedArtifact),
  replaced_artifact: Schema.NullOr(DeploymentPredecessor),
  diff_url: Schema.NullOr(Schema.String),
  /** Set where the caller does not read the primary flow: what it says is then null. */
  hidden: Schema.optionalWith(Schema.Literal(true), { exact: true })
}).annotations({ identifier: "Deployment" })
/** One deployment. */
export type Deployment = typeof Deployment.Type

/**
 * Seconds from the first record of a fingerprint in its primary flow to its deployment; negative when it ran
 * before its report, null without a report.
 */
export const leadTimeSeconds = (
  deployedAt: Timestamp,
  firstReportedAt: Timestamp | null
): number | null =>
  firstReportedAt === null ? null : toSeconds(fromMicros(deployedAt - firstReportedAt))

/** The fingerprint was never deployed to that environment. */
export class NeverDeployed extends Schema.TaggedError<NeverDeployed>()("NeverDeployed", {
  org: OrgName,
  environment: EnvironmentName,
  fingerprint: Fingerprint
}) {
  override get message(): string {
    return `the artifact \`${this.fingerprint}\` was never deployed to \`${this.environment}\` in org \`${this.org}\``
  }
}

/** There is no deployment of that id. */
export class DeploymentNotFound extends Schema.TaggedError<DeploymentNotFound>()(
  "DeploymentNotFound",
  { org: OrgName, id: Schema.String }
) {
  override get message(): string {
    return `there is no deployment \`${this.id}\` in org \`${this.org}\``
  }
}
