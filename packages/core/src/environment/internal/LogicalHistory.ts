/**
 * Port inside core: the snapshot of a logical environment after its members change.
 *
 * WHY a port: snapshots stand to the right of environments.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { WriteContext } from "../../access/internal/WriteContext.js"
import type { StoreError } from "../../shared/StoreError.js"
import type { Environment } from "../Environment.js"

/** Port: the histories of logical environments. */
export class LogicalHistory extends Context.Tag("@attestry/core/LogicalHistory")<
  LogicalHistory,
  {
    /** Appends the snapshot after a change of members; the caller holds the environment's lock. */
    readonly membersChanged: (
      writer: WriteContext,
      logical: Environment
    ) => Effect.Effect<void, StoreError>
  }
>() {}
