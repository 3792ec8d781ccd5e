/** Port: the flows of an org. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { FlowId, FlowName, OrgId, TemplateId } from "../shared/Identifier.js"
import type { Page, Paged } from "../shared/Page.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { PlaceId } from "../space/PlaceId.js"
import type { Flow, FlowKey } from "./Flow.js"
import type { TemplateVersion } from "./TemplateVersion.js"

/** Which flows are listed, and in which order. */
export interface FlowQuery {
  /** Only flows whose names contain this text. */
  readonly search?: { readonly text: string; readonly caseSensitive: boolean }
  /** Only flows with all of these tags, each with its value where one is given. */
  readonly tags?: ReadonlyArray<{ readonly key: string; readonly value?: string }>
  /** Only flows that are in one of these spaces now; one in the root is in none. */
  readonly within?: ReadonlyArray<PlaceId>
  readonly sort: "name" | "latest_activity"
  readonly direction: "asc" | "desc"
}

/** A flow with its latest activity. */
export interface FlowActivity {
  readonly flow: Flow
  /** The instant of the last event on one of its trails; null without trails. */
  readonly latestActivityAt: Timestamp | null
  /** The status of the trail of that event. */
  readonly latestState: string | null
  /** The repository of its newest artifact; empty without one. */
  readonly repoUrl: string
}

/** One flow, by id. */
export interface FlowRef {
  readonly org: OrgId
  readonly id: FlowId
}

/** Port: the flows of an org. */
export class FlowStore extends Context.Tag("@attestry/core/FlowStore")<
  FlowStore,
  {
    /**
     * The flow of that name, or else the flow that last had the name before it was renamed. A newer flow with
     * the name takes precedence. None when there is none.
     */
    readonly findByName: (key: FlowKey) => Effect.Effect<Option.Option<Flow>, StoreError>
    /** The flows of these ids, in any order; unknown ids are left out. */
    readonly listByIds: (
      org: OrgId,
      ids: ReadonlyArray<FlowId>
    ) => Effect.Effect<ReadonlyArray<Flow>, StoreError>
    /** One page of the active flows that pass the query, with their latest activity. */
    readonly list: (
      org: OrgId,
      query: FlowQuery,
      page: Option.Option<Page>
    ) => Effect.Effect<Paged<FlowActivity>, StoreError>
    /** The flow of that id or current name, locked until the transaction ends; none when there is none. */
    readonly lock: (key: FlowKey | FlowRef) => Effect.Effect<Option.Option<Flow>, StoreError>
    /**
     * Adds a flow and returns true; its name no longer leads to another flow. Returns false and does nothing
     * when a flow has the name. Waits for a concurrent writer of the name to end, so that `lock` after
     * `false` finds the flow that has it.
     */
    readonly insert: (flow: Flow) => Effect.Effect<boolean, StoreError>
    /** Replaces the flow of that id but for its name; does nothing when there is none. The caller holds the lock. */
    readonly update: (flow: Flow) => Effect.Effect<void, StoreError>
    /**
     * Renames a flow. With `keepOld` its current name leads to it afterwards; otherwise none of its former
     * names does. Returns false and does nothing when another flow has the name. The caller holds the lock.
     */
    readonly rename: (
      flow: Flow,
      name: FlowName,
      keepOld: boolean
    ) => Effect.Effect<boolean, StoreError>
    /** Adds a version of a template under a fresh id. */
    readonly appendTemplate: (version: TemplateVersion) => Effect.Effect<void, StoreError>
    /** The version of a template of that id; none when there is none. */
    readonly findTemplate: (
      org: OrgId,
      id: TemplateId
    ) => Effect.Effect<Option.Option<TemplateVersion>, StoreError>
  }
>() {}
