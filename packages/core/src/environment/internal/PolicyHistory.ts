/**
 * Port inside core: the snapshot of an environment after its policies change.
 *
 * WHY a port: snapshots stand to the right of environments.
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
     * Evaluates the rows again and appends a snapshot, unless the environment has none; the caller holds the
     * environment's lock and has stored the environment.
     */
    readonly policiesChanged: (
      writer: WriteContext,
      environment: Environment
    ) => Effect.Effect<void, StoreError>
  }
>() {}
