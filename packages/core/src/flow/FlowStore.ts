/** Port: the flows of an org. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { FlowId, FlowName, OrgId } from "../shared/Identifier.js"
import type { Page, Paged } from "../shared/Page.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { Flow, FlowKey } from "./Flow.js"

/** Which flows are listed, and in which order. */
export interface FlowQuery {
  /** Names that hold this text. */
  readonly search?: { readonly text: string; readonly caseSensitive: boolean }
  readonly sort: "name" | "latest_activity"
  readonly direction: "asc" | "desc"
}

/** A flow with what happened last in it. */
export interface FlowActivity {
  readonly flow: Flow
  /** When the last event on one of its trails was; none while it has no trail. */
  readonly latestActivityAt: Timestamp | null
  /** How the trail of that event stands. */
  readonly latestState: string | null
  /** The repository that its newest artifact names; empty where it names none. */
  readonly repoUrl: string
}

/** Port: the flows of an org. */
export class FlowStore extends Context.Tag("@attestry/core/FlowStore")<
  FlowStore,
  {
    /**
     * The flow of that name, or else the one that had it last before it was renamed. A name that a newer
     * flow has taken means the newer one. DECISION A-32
     */
    readonly findByName: (key: FlowKey) => Effect.Effect<Option.Option<Flow>, StoreError>
    /** The flows of these ids, in any order. */
    readonly listByIds: (
      org: OrgId,
      ids: ReadonlyArray<FlowId>
    ) => Effect.Effect<ReadonlyArray<Flow>, StoreError>
    /** One page of the flows that are not archived, with what happened last in each. */
    readonly list: (
      org: OrgId,
      query: FlowQuery,
      page: Option.Option<Page>
    ) => Effect.Effect<Paged<FlowActivity>, StoreError>
    /** The flow that has that name now, kept from other writers until the transaction ends. */
    readonly lockByName: (key: FlowKey) => Effect.Effect<Option.Option<Flow>, StoreError>
    /** The flow of that id, kept from other writers until the transaction ends. */
    readonly lockById: (org: OrgId, id: FlowId) => Effect.Effect<Option.Option<Flow>, StoreError>
    /**
     * Adds a flow, which takes the name from whatever had it before; `false`, and nothing done, when a
     * flow has it now. Waits for a concurrent writer of the same name, so that after `false` a look finds
     * what took it.
     */
    readonly insert: (flow: Flow) => Effect.Effect<boolean, StoreError>
    /** Replaces the flow of that id, nothing when there is none; its name is `rename`'s. */
    readonly update: (flow: Flow) => Effect.Effect<void, StoreError>
    /**
     * Gives a flow another name; with `keepOld` its present one goes on meaning it, otherwise none of its
     * old names does any more. `false`, and nothing done, when another flow has the name.
     */
    readonly rename: (
      flow: Flow,
      name: FlowName,
      keepOld: boolean
    ) => Effect.Effect<boolean, StoreError>
  }
>() {}
