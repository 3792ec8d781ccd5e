/**
 * A deployment: a fingerprint that starts to run in a physical environment. SPEC §4.12
 *
 * Deployments are not declared; they derive from snapshots. `NewDeployments` decides which rows are deployments
 * when a snapshot is appended.
 */
import * as Schema from "effect/Schema"
import { Fingerprint } from "../artifact/Fingerprint.js"
import { EnvironmentName, FlowName, OrgName, TrailName } from "../shared/Identifier.js"
import { EpochSeconds, fromMicros, type Timestamp, toSeconds } from "../shared/Timestamp.js"

/** The artifact that a deployed one replaces. */
export const ReplacedArtifact = Schema.Struct({
  name: Schema.String,
  fingerprint: Fingerprint
}).annotations({ identifier: "ReplacedArtifact" })

/** One deployment. Fields that need provenance are null without it. DECISION A-37 */
export const Deployment = Schema.Struct({
  id: Schema.String,
  environment: EnvironmentName,
  fingerprint: Fingerprint,
  name: Schema.String,
  flow_name: Schema.NullOr(FlowName),
  trail_name: Schema.NullOr(TrailName),
  git_commit: Schema.NullOr(Schema.String),
  commit_url: Schema.NullOr(Schema.String),
  snapshot_index: Schema.Int,
  deployed_at: EpochSeconds,
  lead_time_seconds: Schema.NullOr(Schema.Finite),
  compliant: Schema.Boolean,
  replaced: Schema.NullOr(ReplacedArtifact)
}).annotations({ identifier: "Deployment" })
/** One deployment. */
export type Deployment = typeof Deployment.Type

/**
 * Seconds from the first record of a fingerprint in its primary flow to its deployment; negative when it ran
 * before its report, null without a report. DECISION D8.6
 */
export const leadTimeSeconds = (
  deployedAt: Timestamp,
  firstReportedAt: Timestamp | null
): number | null =>
  firstReportedAt === null ? null : toSeconds(fromMicros(deployedAt - firstReportedAt))

/** There is no deployment of that id. */
export class DeploymentNotFound extends Schema.TaggedError<DeploymentNotFound>()(
  "DeploymentNotFound",
  { org: OrgName, id: Schema.String }
) {
  override get message(): string {
    return `there is no deployment \`${this.id}\` in org \`${this.org}\``
  }
}
