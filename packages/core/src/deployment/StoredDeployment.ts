/** Deployments as a store returns them, and the queries for them. They derive from snapshots. */
import type { Fingerprint } from "../artifact/Fingerprint.js"
import type {
  ArtifactId,
  EnvironmentId,
  EnvironmentName,
  FlowId,
  RepoId
} from "../shared/Identifier.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { TimeWindow } from "../shared/TimeWindow.js"
import type { SnapshotRow } from "../snapshot/Snapshot.js"
import type { EventPosition, StoredEvent } from "../snapshot/SnapshotStore.js"

/** The key of a deployment: an event of an environment. */
export interface DeploymentKey extends EventPosition {
  readonly environment: EnvironmentId
}

/** The start of the artifact that a deployment replaced: its snapshot, and the record of that time. */
export interface ReplacedStart {
  readonly index: number
  readonly artifactId: ArtifactId
}

/** A deployment: its event, the current name of its environment, and what it replaced. */
export interface StoredDeployment {
  readonly environmentId: EnvironmentId
  readonly environmentName: EnvironmentName
  readonly event: StoredEvent
  /** The last start of the predecessor of the primary flow view before this one; null without a predecessor. */
  readonly replaced: ReplacedStart | null
}

/** Which deployments are listed; filters combine with AND, the values of one with OR. */
export interface DeploymentFilter extends TimeWindow {
  readonly environments?: ReadonlyArray<EnvironmentId>
  /** A flow that knows the artifact. */
  readonly flow?: FlowId
  readonly fingerprint?: Fingerprint
  /** Repositories that the record in the primary flow names. */
  readonly repos?: ReadonlyArray<RepoId>
  /** With repositories: only deployments whose primary flow is one of these. */
  readonly flows?: ReadonlyArray<FlowId>
  /** Leaves out environments that were archived by then, in place of those that are. */
  readonly archivedBy?: Timestamp
}

/** The deployments of a repository to one environment. */
export interface DeploymentSeries {
  readonly environmentId: EnvironmentId
  readonly environmentName: EnvironmentName
  /** In ascending order; each with the instant at which the primary flow first recorded the fingerprint. */
  readonly deployments: ReadonlyArray<{
    readonly deployedAt: Timestamp
    readonly firstReportedAt: Timestamp
  }>
}

/** A row that runs now, in the newest snapshot of its environment. */
export interface LiveRow {
  readonly environmentId: EnvironmentId
  readonly snapshotIndex: number
  readonly row: SnapshotRow
}
