/**
 * Port: tells environments that evidence about what they run has changed. DECISION S4, A-45
 *
 * In `shared` because evidence is written by features that know nothing of environments.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { FlowId, OrgId } from "./Identifier.js"
import type { StoreError } from "./StoreError.js"

/** Port: tells environments that evidence about what they run has changed. */
export class Staleness extends Context.Tag("@attestry/core/Staleness")<
  Staleness,
  {
    /**
     * The next report of every environment that runs one of the fingerprints is evaluated, whatever it
     * says. Part of the caller's transaction, and called after the evidence is written.
     */
    readonly markRunning: (
      org: OrgId,
      fingerprints: ReadonlyArray<string>
    ) => Effect.Effect<void, StoreError>
    /**
     * The next report of every environment is evaluated that runs something which the flow knows, and
     * whose policies, or those of a logical environment above it, look at this part of flows: also of one
     * that begins to do so before the caller's transaction commits. DECISION A-32, B-140
     */
    readonly markReaders: (
      org: OrgId,
      flow: FlowId,
      part: "flow.name" | "flow.tags"
    ) => Effect.Effect<void, StoreError>
  }
>() {}
