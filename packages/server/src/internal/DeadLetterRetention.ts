/**
 * Forgets dead letters that have been kept long enough, in one of all the servers on a store.
 *
 * They are removed in small transactions, so that nobody waits for it. DECISION B-98
 */
import type { BackgroundLeaseStore } from "@attestry/core/BackgroundLeaseStore"
import { DeadLetters } from "@attestry/core/DeadLetters"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as LeaderLease from "./LeaderLease.js"

const TURN = "dead_letter_retention"

/** How often it is looked for old ones: a tenth of the time they are kept, an hour at the most. */
const INTERVAL_MILLIS_MAX = 3_600_000

const forgotten = Metric.counter("attestry_dead_letters_pruned_total", {
  description: "Dead letters that were forgotten because of their age",
  incremental: true
})

const takeTurn = (keptMillis: number, intervalMillis: number) =>
  Effect.gen(function* () {
    const { prune } = yield* DeadLetters
    const done = yield* LeaderLease.take({ name: TURN, intervalMillis }, prune(keptMillis))
    if (Option.isNone(done)) return
    const pruned = done.value
    yield* Metric.incrementBy(forgotten, pruned)
    if (pruned > 0) yield* Effect.logInfo("forgot old dead letters", { pruned })
  }).pipe(
    Effect.catchTag("StoreError", (error) =>
      Effect.logWarning("could not forget old dead letters", error)
    )
  )

/** Looks for old ones until it is interrupted. */
export const run = (
  keptMillis: number
): Effect.Effect<never, never, DeadLetters | BackgroundLeaseStore> => {
  const intervalMillis = Math.max(1_000, Math.min(keptMillis / 10, INTERVAL_MILLIS_MAX))
  return takeTurn(keptMillis, intervalMillis).pipe(
    Effect.zipRight(Effect.sleep(intervalMillis)),
    Effect.forever
  )
}
