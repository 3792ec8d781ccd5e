/**
 * Records the ends of waivers in the background: those that expired or lapsed.
 *
 * Verdicts and states do not depend on it. Every process runs it; an end that another process has recorded is left
 * alone under the waiver's lock.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { OrgStore } from "../org/OrgStore.js"
import { Transaction } from "../shared/Transaction.js"
import { Waivers } from "./Waivers.js"

/** The default interval. */
export const LOOKED_EVERY = Duration.minutes(1)

/** Records the ends of waivers of every org that has some once; the failure of one org does not stop the others. */
export const settleAll: Effect.Effect<void, never, OrgStore | Transaction | Waivers> = Effect.gen(
  function* () {
    const orgs = yield* OrgStore
    const transaction = yield* Transaction
    const waivers = yield* Waivers
    yield* Effect.forEach(
      yield* orgs.listBusy("waiver"),
      ({ id, name }) =>
        transaction
          .run(id, (scope) => scope.now)
          .pipe(
            Effect.flatMap((now) => waivers.settle(id, now)),
            Effect.catchTag("StoreError", (error) =>
              Effect.logWarning(
                `ends of waivers of org \`${name}\` are still to be recorded`,
                error
              )
            )
          ),
      { discard: true }
    )
  }
).pipe(
  Effect.catchTag("StoreError", (error) =>
    Effect.logWarning("ends of waivers could not be looked for", error)
  )
)

/** Records ends at once and then at intervals, until the scope closes. */
export const run = (
  every: Duration.DurationInput = LOOKED_EVERY
): Effect.Effect<void, never, OrgStore | Transaction | Waivers | Scope.Scope> =>
  Effect.asVoid(Effect.forkScoped(Effect.repeat(settleAll, Schedule.spaced(every))))
