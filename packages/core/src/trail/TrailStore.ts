/** Port: the trails of an org. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Fingerprint } from "../artifact/Fingerprint.js"
import type { StoredEvaluation } from "../compliance/StoredEvaluation.js"
import type { Flow } from "../flow/Flow.js"
import type {
  CommitSha,
  FlowId,
  FlowName,
  OrgId,
  TrailId,
  TrailName
} from "../shared/Identifier.js"
import type { Page, Paged } from "../shared/Page.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Locking } from "../shared/Transaction.js"
import type { PlaceId } from "../space/PlaceId.js"
import type { Trail, TrailKey } from "./Trail.js"

/** Which trails are listed; all given conditions must hold. */
export interface TrailQuery {
  readonly flow?: FlowId
  /** Trails with a record of this fingerprint. */
  readonly fingerprint?: string
  /** Trails of flows that have this tag with this value. */
  readonly flowTag?: { readonly key: string; readonly value: string }
  /** Trails whose name contains this text, in any case. */
  readonly search?: string
  /** Trails whose last evaluation has this status. */
  readonly status?: "COMPLIANT" | "NON-COMPLIANT" | "INCOMPLETE"
  /** Only trails of flows that are in one of these spaces now; one in the root is in none. */
  readonly within?: ReadonlyArray<PlaceId>
}

/** A page of what is in all flows, or in those of some spaces. */
export interface PageWithin extends Page {
  readonly within?: ReadonlyArray<PlaceId>
}

/** The names of a trail and of its flow for a commit, and the branch, if it is known. */
export interface CommitTrail {
  readonly flow: FlowName
  readonly trail: TrailName
  readonly branch: string
}

/** A trail and its flow, as of one instant. */
export interface TrailOfFlow {
  readonly flow: Flow
  readonly trail: Trail
}

/** Consecutive trails of a flow. */
export interface TrailSlice {
  readonly items: ReadonlyArray<Trail>
  /** Where the next slice begins; none after the last one. */
  readonly next: Option.Option<number>
}

/** Port: the trails of an org. */
export class TrailStore extends Context.Tag("@attestry/core/TrailStore")<
  TrailStore,
  {
    /** The trail of that name; none when there is none. */
    readonly findByName: (
      key: TrailKey,
      locking?: Locking
    ) => Effect.Effect<Option.Option<Trail>, StoreError>
    /** The trails of these ids, in any order; unknown ids are left out. */
    readonly listByIds: (
      org: OrgId,
      ids: ReadonlyArray<TrailId>
    ) => Effect.Effect<ReadonlyArray<Trail>, StoreError>
    /**
     * The trail of that name and its flow, where the flow is found by its current or a former name; the trail
     * is locked until the transaction ends. None when there is no such flow or trail. A caller that reports an
     * artifact names its `fingerprint`, which is then held as `EvidenceStore.holdSubjects` holds it.
     */
    readonly lockWithFlow: (key: {
      readonly org: OrgId
      readonly flow: FlowName
      readonly name: TrailName
      readonly fingerprint?: Fingerprint
    }) => Effect.Effect<Option.Option<TrailOfFlow>, StoreError>
    /**
     * Adds a trail and returns true; returns false and does nothing when the name is taken. Waits for a
     * concurrent writer of the name to end, so that `findByName` after `false` finds the trail.
     */
    readonly insert: (trail: Trail) => Effect.Effect<boolean, StoreError>
    /** One page of the trails that pass the query, newest first. */
    readonly list: (
      org: OrgId,
      query: TrailQuery,
      page: Page
    ) => Effect.Effect<Paged<Trail>, StoreError>
    /**
     * At most `limit` trails of a flow, newest first: those after the place that the slice before has returned, or the
     * newest. A trail that is begun between two slices is in none of them, and no trail is in two.
     */
    readonly slice: (query: {
      readonly org: OrgId
      readonly flow: FlowId
      readonly after: Option.Option<number>
      readonly limit: number
    }) => Effect.Effect<TrailSlice, StoreError>
    /** Links a trail to a commit; a second call adds a branch that was unknown, and changes nothing otherwise. */
    readonly linkCommit: (link: {
      readonly org: OrgId
      readonly trail: TrailId
      readonly sha: CommitSha
      readonly branch: string
    }) => Effect.Effect<void, StoreError>
    /** One page of the trails of a commit, in all flows or in those that are in one of these spaces, newest first. */
    readonly listByCommit: (
      org: OrgId,
      sha: CommitSha,
      page: PageWithin
    ) => Effect.Effect<Paged<CommitTrail>, StoreError>
    /** Replaces the trail of that id; does nothing when there is none. The caller holds the lock. */
    readonly update: (trail: Trail) => Effect.Effect<void, StoreError>
    /** Stores an evaluation and replaces the trail's last one. The caller holds the trail's lock. */
    readonly putEvaluation: (evaluation: StoredEvaluation) => Effect.Effect<void, StoreError>
    /**
     * The last evaluation of a trail; none for an unknown trail. The transaction that creates a trail also
     * stores its first evaluation.
     */
    readonly findEvaluation: (
      org: OrgId,
      trail: TrailId
    ) => Effect.Effect<Option.Option<StoredEvaluation>, StoreError>
    /** The last evaluations of these trails, in any order; unknown trails are left out. */
    readonly listEvaluations: (
      org: OrgId,
      trails: ReadonlyArray<TrailId>
    ) => Effect.Effect<ReadonlyArray<StoredEvaluation>, StoreError>
  }
>() {}
