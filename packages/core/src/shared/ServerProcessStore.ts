/**
 * Port: the server processes that work on a store.
 *
 * Written and read by background work alone, so that no request waits for it. All instants are of the store's clock.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ServerProcess, ServerProcessDraft } from "./ServerProcess.js"
import type { StoreError } from "./StoreError.js"

/** Port: the server processes that work on a store. */
export class ServerProcessStore extends Context.Tag("@attestry/core/ServerProcessStore")<
  ServerProcessStore,
  {
    /** Records that a process lives, and forgets those that were not seen for so long. */
    readonly put: (
      process: ServerProcessDraft,
      forgottenAfterMillis: number
    ) => Effect.Effect<void, StoreError>
    /** The processes that were seen within so long, the one that started first at the front. */
    readonly list: (withinMillis: number) => Effect.Effect<ReadonlyArray<ServerProcess>, StoreError>
    /** Forgets a process that ends. */
    readonly remove: (id: string) => Effect.Effect<void, StoreError>
  }
>() {}
