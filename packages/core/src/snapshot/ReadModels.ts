/**
 * Port: lists, counts and connections for pages and answers. A store derives them from records, so nothing is written,
 * and no decision depends on them.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Artifact } from "../artifact/Artifact.js"
import type { Fingerprint, FingerprintPrefix } from "../artifact/Fingerprint.js"
import type { PlacedContent, Placement, PlacementKey } from "../artifact/Placement.js"
import type {
  DeploymentFilter,
  DeploymentKey,
  DeploymentSeries,
  LiveRow,
  StoredDeployment
} from "../deployment/StoredDeployment.js"
import type { EnvironmentRef } from "../environment/Environment.js"
import type {
  Exposure,
  ExposureFilter,
  ExposureQuery,
  ExposureSummary
} from "../exposure/Exposure.js"
import type { FoundEdges, NodeDescription, NodeKey } from "../exposure/Graph.js"
import type { EnvironmentId, FlowId, OrgId, RepoId } from "../shared/Identifier.js"
import type { Page, Paged } from "../shared/Page.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { WholeWindow } from "../shared/TimeWindow.js"
import type { GroupedRows } from "./Snapshot.js"
import type { EvaluatedRows, RecentVerdicts } from "./SnapshotStore.js"
import type { TimelineSnapshot } from "./TimelineColumns.js"
import type { Period } from "./VerdictRuns.js"

/** How much is read of each node and type of edge. */
export interface Reach {
  /** At most so many edges are given, newest first. */
  readonly limit: number
  /** The newest of so many are looked at and counted. */
  readonly reach: number
}

/** Which builds are listed: within a window, and of repositories that the first record names. */
export interface BuildFilter extends WholeWindow {
  readonly repos?: ReadonlyArray<RepoId>
  /** Only builds whose record is of one of these flows. */
  readonly flows?: ReadonlyArray<FlowId>
}

/** Port: lists, counts and connections for pages and answers. */
export class ReadModels extends Context.Tag("@attestry/core/ReadModels")<
  ReadModels,
  {
    /**
     * The newest snapshots of several environments with their verdicts since an instant. Environments without a
     * snapshot are left out.
     */
    readonly recentVerdicts: (
      org: OrgId,
      environments: ReadonlyArray<EnvironmentId>,
      since: Timestamp
    ) => Effect.Effect<ReadonlyMap<EnvironmentId, RecentVerdicts>, StoreError>
    /**
     * The snapshots of an environment within a time, oldest first, after the one that is in force when it begins, if
     * there is one; as far as a timeline shows them.
     */
    readonly timelineSnapshots: (
      ref: EnvironmentRef,
      period: Period
    ) => Effect.Effect<ReadonlyArray<TimelineSnapshot>, StoreError>
    /**
     * The running rows of the newest snapshots of these environments, counted by environment, verdict and
     * decisions, in any order. Each of the rows is in one count; an environment without rows has none.
     */
    readonly evaluatedRows: (
      org: OrgId,
      environments: ReadonlyArray<EnvironmentId>
    ) => Effect.Effect<ReadonlyArray<EvaluatedRows>, StoreError>
    /**
     * A page of the rows of the snapshot with that index, in the order of `SnapshotStore.find`, and all rows in groups,
     * in any order, of which several may be alike. Empty when there is none, and for a logical environment.
     */
    readonly groupedRows: (
      ref: EnvironmentRef,
      index: number,
      page: Page
    ) => Effect.Effect<GroupedRows, StoreError>
    /**
     * One page of the exposures in physical environments, archived ones included, of every fingerprint that fits the
     * subject and that pass the filter, in the order of `Exposure.byNewest`. A fingerprint fits when one of its
     * records does; a prefix of fingerprints needs no record, and components need a bill of materials that has one of
     * them. With flows only their records and their bills of materials count.
     */
    readonly exposures: (
      org: OrgId,
      query: ExposureQuery,
      page: Page
    ) => Effect.Effect<Paged<Exposure>, StoreError>
    /** `Exposure.summarize` of all of them. */
    readonly exposureSummary: (
      org: OrgId,
      query: ExposureQuery,
      now: Timestamp
    ) => Effect.Effect<ExposureSummary, StoreError>
    /** How many artifacts with exposures that pass the filter have no bill of materials. */
    readonly withoutSbom: (org: OrgId, filter: ExposureFilter) => Effect.Effect<number, StoreError>
    /**
     * The edges at these nodes, in any order, both directions. Of a node and a type the newest `limit`; `degrees`
     * counts all of them, or the newest `reach`. Between two nodes there is one edge of a type.
     *
     * - `recorded_in`: an artifact and a trail with a record of it, by the newest record.
     * - `of`: a trail and its flow.
     * - `builds`: a trail and a commit that its details or one of its records name.
     * - `about`: an attestation and the artifact whose fingerprint it has, else its trail.
     * - `overrides`: an override and the newest attestation before it on its trail with its name, type and target.
     * - `ran_in`: an artifact and a physical environment in which it ran, from the first start to the last end; until
     *   then it has no end while it runs.
     * - `judged_by`: an environment and a policy that is attached to it, since it is.
     * - `asks_about`: a policy and a control that a rule of its latest version is for.
     * - `decides`: a decision and the control that it is about.
     * - `replaced`: an artifact and its predecessor at one of its starts (SPEC §3.17), since the first time.
     *
     * Archived environments and controls that do not exist are in no edge.
     */
    readonly graphEdges: (
      org: OrgId,
      level: ReadonlyArray<NodeKey>,
      reach: Reach
    ) => Effect.Effect<FoundEdges, StoreError>
    /**
     * The descriptions of these nodes, in any order; unknown ones are left out. An artifact has the name
     * and the compliance of its newest record, else the name under which it started last. Artifacts and commits are
     * never unknown. An environment that is still to be judged again has no verdict.
     */
    readonly graphNodes: (
      org: OrgId,
      nodes: ReadonlyArray<NodeKey>
    ) => Effect.Effect<ReadonlyArray<NodeDescription>, StoreError>
    /** One page of the deployments that pass the filter, newest first, without those of archived environments. */
    readonly deployments: (
      org: OrgId,
      filter: DeploymentFilter,
      page: Page
    ) => Effect.Effect<Paged<StoredDeployment>, StoreError>
    /** The first deployment of `deployments`, or of the list that there was when fewer environments were archived. */
    readonly newestDeployment: (
      org: OrgId,
      filter: DeploymentFilter
    ) => Effect.Effect<Option.Option<StoredDeployment>, StoreError>
    /** The deployment with that key; none when the event is absent or no deployment. */
    readonly deployment: (
      org: OrgId,
      key: DeploymentKey
    ) => Effect.Effect<Option.Option<StoredDeployment>, StoreError>
    /**
     * The deployments of a repository within a window, for each active environment that it was ever deployed to,
     * in ascending order of name; an environment without deployments in the window has an empty list. With flows only
     * deployments whose primary flow is one of them.
     */
    readonly deploymentSeries: (
      org: OrgId,
      repo: RepoId,
      window: WholeWindow & Pick<DeploymentFilter, "flows">
    ) => Effect.Effect<ReadonlyArray<DeploymentSeries>, StoreError>
    /**
     * The rows that run in the newest snapshots of active physical environments, and one of whose flow views is of
     * a record that names the repository; in any order.
     */
    readonly liveRows: (
      org: OrgId,
      repo: RepoId
    ) => Effect.Effect<ReadonlyArray<LiveRow>, StoreError>
    /**
     * One page of the builds that pass the filter, newest first; of one instant by ascending fingerprint. A build is
     * the first record of a fingerprint.
     */
    readonly builds: (
      org: OrgId,
      filter: BuildFilter,
      page: Page
    ) => Effect.Effect<Paged<Artifact>, StoreError>
    /** The instants of all builds that pass the filter, in ascending order. */
    readonly buildInstants: (
      org: OrgId,
      filter: BuildFilter
    ) => Effect.Effect<ReadonlyArray<Timestamp>, StoreError>
    /**
     * Every environment, archived ones included, with a snapshot that contains one of the fingerprints; by
     * fingerprint, then by the current name of the environment. All placements are of one instant.
     */
    readonly placements: (
      org: OrgId,
      fingerprints: ReadonlyArray<Fingerprint>
    ) => Effect.Effect<ReadonlyArray<Placement>, StoreError>
    /**
     * The distinct fingerprints with this prefix that run or ran in an environment that is not archived, or in one of
     * some of these, in ascending order; at most `limit`.
     */
    readonly placedFingerprints: (query: {
      readonly org: OrgId
      readonly environments?: ReadonlyArray<EnvironmentId>
      readonly prefix: FingerprintPrefix
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Fingerprint>, StoreError>
    /** The rows of these fingerprints in these snapshots, in any order; a key without a row is left out. */
    readonly placedRows: (
      org: OrgId,
      keys: ReadonlyArray<PlacementKey>
    ) => Effect.Effect<ReadonlyArray<PlacedContent>, StoreError>
  }
>() {}
