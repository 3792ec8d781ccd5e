/**
 * Evaluates pending environments in the background: those that a crash left between a new version of a policy
 * and its evaluation. DECISIONS.md, "Pending environments are evaluated before they are read"
 *
 * Reads do not depend on it: a read of a pending environment evaluates it first.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { OrgStore } from "../org/OrgStore.js"
import { Reevaluations } from "./Reevaluations.js"

/** The default interval. */
export const LOOKED_EVERY = Duration.minutes(1)

/** Evaluates the pending environments of every org once; the failure of one org does not stop the others. */
export const drainAll: Effect.Effect<void, never, OrgStore | Reevaluations> = Effect.gen(
  function* () {
    const orgs = yield* OrgStore
    const reevaluations = yield* Reevaluations
    yield* Effect.forEach(
      yield* orgs.list,
      ({ id, name }) =>
        Effect.catchTag(reevaluations.drain(id), "StoreError", (error) =>
          Effect.logWarning(`environments of org \`${name}\` are still to be evaluated`, error)
        ),
      { discard: true }
    )
  }
).pipe(
  Effect.catchTag("StoreError", (error) =>
    Effect.logWarning("pending environments could not be looked for", error)
  )
)

/** Evaluates at once and then at intervals, until the scope closes. */
export const run = (
  every: Duration.DurationInput = LOOKED_EVERY
): Effect.Effect<void, never, OrgStore | Reevaluations | Scope.Scope> =>
  Effect.asVoid(Effect.forkScoped(Effect.repeat(drainAll, Schedule.spaced(every))))
