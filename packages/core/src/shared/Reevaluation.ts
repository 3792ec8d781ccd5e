/**
 * Port inside core: evaluates pending environments. DECISIONS.md, "Pending environments are evaluated before they are
 * read"
 *
 * In `shared` because the features that make environments pending stand to the left of snapshots.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OrgId } from "./Identifier.js"
import type { StoreError } from "./StoreError.js"

/** Port: evaluates pending environments. */
export class Reevaluation extends Context.Tag("@attestry/core/Reevaluation")<
  Reevaluation,
  {
    /**
     * Evaluates every pending environment of an org, each in a transaction of its own. Must not be called
     * inside one: the change that made them pending must be committed.
     */
    readonly drain: (org: OrgId) => Effect.Effect<void, StoreError>
  }
>() {}
