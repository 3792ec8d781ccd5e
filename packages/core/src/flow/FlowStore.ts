/** Port: the flows of an org. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { FlowId, OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Flow, FlowKey } from "./Flow.js"

/** Port: the flows of an org. */
export class FlowStore extends Context.Tag("@attestry/core/FlowStore")<
  FlowStore,
  {
    /** The flow of that name. */
    readonly findByName: (key: FlowKey) => Effect.Effect<Option.Option<Flow>, StoreError>
    /** The flows of these ids, in any order. */
    readonly listByIds: (
      org: OrgId,
      ids: ReadonlyArray<FlowId>
    ) => Effect.Effect<ReadonlyArray<Flow>, StoreError>
    /** The flow of that name, kept from other writers until the transaction ends. */
    readonly lockByName: (key: FlowKey) => Effect.Effect<Option.Option<Flow>, StoreError>
    /**
     * Adds a flow; `false`, and nothing done, when the name is taken. Waits for a concurrent writer of
     * the same name, so that after `false` a look finds what took it.
     */
    readonly insert: (flow: Flow) => Effect.Effect<boolean, StoreError>
    /** Replaces the flow of that id; nothing when there is none. */
    readonly update: (flow: Flow) => Effect.Effect<void, StoreError>
  }
>() {}
