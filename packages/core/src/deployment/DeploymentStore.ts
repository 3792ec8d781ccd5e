/** Port: the deployments of an org. They derive from snapshots, so nothing is written. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Fingerprint } from "../artifact/Fingerprint.js"
import type {
  ArtifactId,
  EnvironmentId,
  EnvironmentName,
  FlowId,
  OrgId,
  RepoId
} from "../shared/Identifier.js"
import type { Page, Paged } from "../shared/Page.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { TimeWindow, WholeWindow } from "../shared/TimeWindow.js"
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
}

/** Of which instant the newest deployment is asked for. */
export interface NewestFilter extends DeploymentFilter {
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

/** Port: the deployments of an org. */
export class DeploymentStore extends Context.Tag("@attestry/core/DeploymentStore")<
  DeploymentStore,
  {
    /** One page of the deployments that pass the filter, newest first, without those of archived environments. */
    readonly list: (
      org: OrgId,
      filter: DeploymentFilter,
      page: Page
    ) => Effect.Effect<Paged<StoredDeployment>, StoreError>
    /** The first deployment of that list, or of the list that there was when fewer environments were archived. */
    readonly findNewest: (
      org: OrgId,
      filter: NewestFilter
    ) => Effect.Effect<Option.Option<StoredDeployment>, StoreError>
    /** The deployment with that key; none when the event is absent or no deployment. */
    readonly find: (
      org: OrgId,
      key: DeploymentKey
    ) => Effect.Effect<Option.Option<StoredDeployment>, StoreError>
    /**
     * The deployments of a repository within a window, for each active environment that it was ever deployed to,
     * in ascending order of name; an environment without deployments in the window has an empty list.
     */
    readonly series: (
      org: OrgId,
      repo: RepoId,
      window: WholeWindow
    ) => Effect.Effect<ReadonlyArray<DeploymentSeries>, StoreError>
    /**
     * The rows that run in the newest snapshots of active physical environments, and one of whose flow views is of
     * a record that names the repository; in any order.
     */
    readonly live: (org: OrgId, repo: RepoId) => Effect.Effect<ReadonlyArray<LiveRow>, StoreError>
  }
>() {}
