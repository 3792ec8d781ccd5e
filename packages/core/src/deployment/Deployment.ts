/**
 * A deployment: content that was not running in a physical environment before, and now is. SPEC §4.12
 *
 * Nobody declares deployments; they are read off snapshots. A second name for content that runs already
 * is none. DECISION D8.4
 */
import * as Schema from "effect/Schema"
import { Fingerprint, isKnown } from "../artifact/Fingerprint.js"
import { byIdentity, type RowIdentity } from "../environment/RunningRow.js"
import { EnvironmentName, FlowName, TrailName } from "../shared/Identifier.js"
import { EpochSeconds, fromMicros, type Timestamp, toSeconds } from "../shared/Timestamp.js"

/** The artifact whose place a deployed one took. */
export const ReplacedArtifact = Schema.Struct({
  name: Schema.String,
  fingerprint: Fingerprint
}).annotations({ identifier: "ReplacedArtifact" })

/** One deployment. What needs provenance is null without it. DECISION A-37 */
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
 * Seconds from the first record of a fingerprint in its primary flow to its deployment; negative when it
 * ran before it was reported, null when it never was. DECISION D8.6
 */
export const leadTimeSeconds = (
  deployedAt: Timestamp,
  firstReportedAt: Timestamp | null
): number | null =>
  firstReportedAt === null ? null : toSeconds(fromMicros(deployedAt - firstReportedAt))

/** A row whose content a runtime knows. */
export interface DeployedRow extends RowIdentity {
  readonly fingerprint: Fingerprint
}

const isDeployed = <Row extends RowIdentity>(row: Row): row is Row & DeployedRow =>
  isKnown(row.fingerprint)

/**
 * What was deployed between two sets of running rows: for each fingerprint that runs now and did not
 * before, the first of its rows by name.
 */
export const deployed = <Row extends RowIdentity>(
  before: ReadonlyArray<RowIdentity>,
  after: ReadonlyArray<Row>
): ReadonlyArray<Row & DeployedRow> => {
  const seen = new Set<string>(before.map(({ fingerprint }) => fingerprint))
  const starting: Array<Row & DeployedRow> = []
  for (const row of after.filter(isDeployed).sort(byIdentity)) {
    if (seen.has(row.fingerprint)) continue
    seen.add(row.fingerprint)
    starting.push(row)
  }
  return starting
}
