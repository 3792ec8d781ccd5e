/**
 * Records the ends of break-glass, and reminds of reviews, in the background. What an opening gives does not depend on
 * it. Every process runs it; what another process has done is left alone under the lock of the opening.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { OrgStore } from "../org/OrgStore.js"
import { Transaction } from "../shared/Transaction.js"
import { BreakGlasses } from "./BreakGlasses.js"

/** The default interval. */
export const LOOKED_EVERY = Duration.minutes(1)

/** Looks after every org with openings once; the failure of one org does not stop the others. */
export const lookAfterAll: Effect.Effect<void, never, OrgStore | Transaction | BreakGlasses> =
  Effect.gen(function* () {
    const orgs = yield* OrgStore
    const transaction = yield* Transaction
    const glasses = yield* BreakGlasses
    yield* Effect.forEach(
      yield* orgs.listBusy("break-glass"),
      ({ id, name }) =>
        transaction
          .run(id, (scope) => scope.now)
          .pipe(
            Effect.flatMap((now) => glasses.lookAfter(id, now)),
            Effect.catchTag("StoreError", (error) =>
              Effect.logWarning(
                `ends of break-glass of org \`${name}\` are still to be recorded`,
                error
              )
            )
          ),
      { discard: true }
    )
  }).pipe(
    Effect.catchTag("StoreError", (error) =>
      Effect.logWarning("ends of break-glass could not be looked for", error)
    )
  )

/** Looks at once and then at intervals, until the scope closes. */
export const run = (
  every: Duration.DurationInput = LOOKED_EVERY
): Effect.Effect<void, never, OrgStore | Transaction | BreakGlasses | Scope.Scope> =>
  Effect.asVoid(Effect.forkScoped(Effect.repeat(lookAfterAll, Schedule.spaced(every))))
