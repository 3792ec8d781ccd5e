/**
 * Records the ends of proposals that have expired, in the background. States do not depend on it. Every process runs
 * it; an end that another process has recorded is left alone under the proposal's lock.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { OrgStore } from "../org/OrgStore.js"
import { Transaction } from "../shared/Transaction.js"
import { Proposals } from "./Proposals.js"

/** The default interval. */
export const LOOKED_EVERY = Duration.minutes(1)

/** Records the ends of proposals of every org that has some once; the failure of one org does not stop the others. */
export const expireAll: Effect.Effect<void, never, OrgStore | Transaction | Proposals> = Effect.gen(
  function* () {
    const orgs = yield* OrgStore
    const transaction = yield* Transaction
    const proposals = yield* Proposals
    yield* Effect.forEach(
      yield* orgs.listBusy("proposal"),
      ({ id, name }) =>
        transaction
          .run(id, (scope) => scope.now)
          .pipe(
            Effect.flatMap((now) => proposals.expire(id, now)),
            Effect.catchTag("StoreError", (error) =>
              Effect.logWarning(
                `ends of proposals of org \`${name}\` are still to be recorded`,
                error
              )
            )
          ),
      { discard: true }
    )
  }
).pipe(
  Effect.catchTag("StoreError", (error) =>
    Effect.logWarning("ends of proposals could not be looked for", error)
  )
)

/** Records ends at once and then at intervals, until the scope closes. */
export const run = (
  every: Duration.DurationInput = LOOKED_EVERY
): Effect.Effect<void, never, OrgStore | Transaction | Proposals | Scope.Scope> =>
  Effect.asVoid(Effect.forkScoped(Effect.repeat(expireAll, Schedule.spaced(every))))
