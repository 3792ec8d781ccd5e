/**
 * Deletes dead letters that are older than the retention, on one of all servers of a store. A receiver that is gone
 * must not fill the database.
 *
 * It deletes them in small transactions, so that other transactions do not wait long.
 */
import type { BackgroundLeaseStore } from "@attestry/core/BackgroundLeaseStore"
import { DeadLetters } from "@attestry/core/DeadLetters"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as LeaderLease from "./LeaderLease.js"

const LEASE = "dead_letter_retention"

/** The longest interval between deletions, which is a tenth of the retention. */
const INTERVAL_MILLIS_MAX = 3_600_000

const prunedTotal = Metric.counter("attestry_dead_letters_pruned_total", {
  description: "Dead letters that were forgotten because of their age",
  incremental: true
})

const prune = (keptMillis: number, intervalMillis: number) =>
  Effect.gen(function* () {
    const letters = yield* DeadLetters
    const done = yield* LeaderLease.take({ name: LEASE, intervalMillis }, letters.prune(keptMillis))
    if (Option.isNone(done)) return
    const pruned = done.value
    yield* Metric.incrementBy(prunedTotal, pruned)
    if (pruned > 0) yield* Effect.logInfo("forgot old dead letters", { pruned })
  }).pipe(
    Effect.catchTag("StoreError", (error) =>
      Effect.logWarning("could not forget old dead letters", error)
    )
  )

/** Deletes old dead letters until it is interrupted. */
export const run = (
  keptMillis: number
): Effect.Effect<never, never, DeadLetters | BackgroundLeaseStore> => {
  const intervalMillis = Math.max(1_000, Math.min(keptMillis / 10, INTERVAL_MILLIS_MAX))
  return prune(keptMillis, intervalMillis).pipe(
    Effect.zipRight(Effect.sleep(intervalMillis)),
    Effect.forever
  )
}
