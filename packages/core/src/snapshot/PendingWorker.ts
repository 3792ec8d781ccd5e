/**
 * Evaluates what is pending although nobody asks: what a crash left between a policy's new version and the
 * evaluation of its consumers. DECISION S10
 *
 * Readers never wait for it: whoever reads a pending environment evaluates it first.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { OrgStore } from "../org/OrgStore.js"
import { Reevaluation } from "../shared/Reevaluation.js"

/** How often is looked, unless told. */
export const LOOKED_EVERY = Duration.minutes(1)

/** Evaluates what is pending in every org, once; an org that fails does not keep others waiting. */
export const drainAll: Effect.Effect<void, never, OrgStore | Reevaluation> = Effect.gen(
  function* () {
    const orgs = yield* OrgStore
    const reevaluation = yield* Reevaluation
    yield* Effect.forEach(
      yield* orgs.list,
      ({ id, name }) =>
        Effect.catchTag(reevaluation.drain(id), "StoreError", (error) =>
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

/** Looks at once and then now and again, until the scope closes. */
export const run = (
  every: Duration.DurationInput = LOOKED_EVERY
): Effect.Effect<void, never, OrgStore | Reevaluation | Scope.Scope> =>
  Effect.asVoid(Effect.forkScoped(Effect.repeat(drainAll, Schedule.spaced(every))))
