/** Port: the trails of an org. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
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
import type { Trail, TrailKey } from "./Trail.js"

/** Which trails are listed; conditions that are given must all hold. */
export interface TrailQuery {
  readonly flow?: FlowId
  /** Trails into which this content was reported. */
  readonly fingerprint?: string
  /** Trails of flows that have this tag with this value. */
  readonly flowTag?: { readonly key: string; readonly value: string }
}

/** The names of a trail that reports a commit and of its flow, and the branch that it says, if any. */
export interface CommitTrail {
  readonly flow: FlowName
  readonly trail: TrailName
  readonly branch: string
}

/** A trail and its flow, as they are at one moment. */
export interface TrailOfFlow {
  readonly flow: Flow
  readonly trail: Trail
}

/** Port: the trails of an org. */
export class TrailStore extends Context.Tag("@attestry/core/TrailStore")<
  TrailStore,
  {
    /** The trail of that name. */
    readonly findByName: (key: TrailKey) => Effect.Effect<Option.Option<Trail>, StoreError>
    /** The trails of these ids, in any order. */
    readonly listByIds: (
      org: OrgId,
      ids: ReadonlyArray<TrailId>
    ) => Effect.Effect<ReadonlyArray<Trail>, StoreError>
    /** The trail of that name, kept from other writers until the transaction ends. */
    readonly lockByName: (key: TrailKey) => Effect.Effect<Option.Option<Trail>, StoreError>
    /**
     * The trail of that name in the flow that a name means, old names included, and that flow; the trail
     * is kept from other writers until the transaction ends.
     */
    readonly lockWithFlow: (key: {
      readonly org: OrgId
      readonly flow: FlowName
      readonly name: TrailName
    }) => Effect.Effect<Option.Option<TrailOfFlow>, StoreError>
    /**
     * Adds a trail; `false`, and nothing done, when the name is taken. Waits for a concurrent writer of
     * the same name, so that after `false` a look finds what took it.
     */
    readonly insert: (trail: Trail) => Effect.Effect<boolean, StoreError>
    /** One page of the trails that pass, the one begun last first. */
    readonly list: (
      org: OrgId,
      query: TrailQuery,
      page: Page
    ) => Effect.Effect<Paged<Trail>, StoreError>
    /** Notes that a trail reports a commit; again is nothing, but for a branch that was not known. */
    readonly linkCommit: (link: {
      readonly org: OrgId
      readonly trail: TrailId
      readonly sha: CommitSha
      readonly branch: string
    }) => Effect.Effect<void, StoreError>
    /** One page of the trails that report a commit, of all flows, the one begun last first. */
    readonly listByCommit: (
      org: OrgId,
      sha: CommitSha,
      page: Page
    ) => Effect.Effect<Paged<CommitTrail>, StoreError>
    /** Replaces the trail of that id; nothing when there is none. */
    readonly update: (trail: Trail) => Effect.Effect<void, StoreError>
  }
>() {}
