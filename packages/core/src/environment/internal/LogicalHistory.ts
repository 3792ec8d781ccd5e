/**
 * Port inside core: what the history of a logical environment gains when its members change.
 *
 * WHY a port: the history belongs to snapshots, which build on environments and not the other way round.
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
    /** Appends the snapshot that a change of members makes; the caller holds the environment's lock. */
    readonly membersChanged: (
      writer: WriteContext,
      logical: Environment
    ) => Effect.Effect<void, StoreError>
  }
>() {}
