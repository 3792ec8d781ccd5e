/**
 * Port inside core: evaluates environments that are pending. DECISION S10
 *
 * In `shared` because whoever makes environments pending, such as a policy, knows nothing of snapshots.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OrgId } from "./Identifier.js"
import type { StoreError } from "./StoreError.js"

/** Port: evaluates environments that are pending. */
export class Reevaluation extends Context.Tag("@attestry/core/Reevaluation")<
  Reevaluation,
  {
    /**
     * Evaluates every pending environment of an org, each in a transaction of its own. Not to be called
     * inside of one: what made them pending must be committed.
     */
    readonly drain: (org: OrgId) => Effect.Effect<void, StoreError>
  }
>() {}
