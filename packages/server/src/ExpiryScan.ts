/**
 * Looks for API keys that end soon, every so often, in one of all the servers on a store.
 *
 * A server that dies while it scans leaves its turn to another; scanning twice does no harm.
 */
import { ApiKeyExpiryScan } from "@attestry/core/ApiKeyExpiryScan"
import { BackgroundLeaseStore } from "@attestry/core/BackgroundLeaseStore"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"

const TURN = "api_key_expiry_scan"

/** A scan that takes longer than this may meet another one. */
const TURN_MILLIS = 600_000

/** Whether a turn is due is asked this often at least, and four times an interval at most. */
const ASKED_MILLIS_MAX = 60_000

const scans = Metric.counter("attestry_expiry_scans_total", {
  description: "Scans for API keys that end soon, by result",
  incremental: true
})
const scanned = (result: "done" | "failed") =>
  Metric.increment(Metric.tagged(scans, "result", result))

const takeTurn = (intervalMillis: number) =>
  Effect.gen(function* () {
    const turns = yield* BackgroundLeaseStore
    const turn = yield* turns.acquire(TURN, TURN_MILLIS)
    if (Option.isNone(turn)) return
    const { scan } = yield* ApiKeyExpiryScan
    const told = yield* scan
    yield* turns.release(turn.value, intervalMillis)
    yield* scanned("done")
    yield* Effect.logDebug("looked for API keys that end soon", { told })
  }).pipe(
    Effect.catchTag("StoreError", (error) =>
      Effect.zipRight(
        scanned("failed"),
        Effect.logWarning("could not look for API keys that end soon", error)
      )
    )
  )

/** Scans until it is interrupted. */
export const run = (
  intervalMillis: number
): Effect.Effect<never, never, ApiKeyExpiryScan | BackgroundLeaseStore> =>
  takeTurn(intervalMillis).pipe(
    Effect.zipRight(Effect.sleep(Math.min(intervalMillis / 4, ASKED_MILLIS_MAX))),
    Effect.forever
  )
