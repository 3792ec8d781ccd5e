/**
 * Port inside core: what the history of an environment gains when its policies change.
 *
 * WHY a port: the history belongs to snapshots, which build on environments and not the other way round.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { WriteContext } from "../../access/internal/WriteContext.js"
import type { StoreError } from "../../shared/StoreError.js"
import type { Environment } from "../Environment.js"

/** Port: the histories of environments whose policies change. */
export class PolicyHistory extends Context.Tag("@attestry/core/PolicyHistory")<
  PolicyHistory,
  {
    /**
     * Judges what runs again and appends a snapshot, unless there is none yet; the caller holds the
     * environment's lock and has stored it as given.
     */
    readonly policiesChanged: (
      writer: WriteContext,
      environment: Environment
    ) => Effect.Effect<void, StoreError>
  }
>() {}
