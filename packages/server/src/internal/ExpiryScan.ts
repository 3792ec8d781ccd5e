/**
 * Looks for API keys that end soon, every so often, in one of all the servers on a store.
 *
 * Scanning twice does no harm.
 */
import { ApiKeyExpiryScan } from "@attestry/core/ApiKeyExpiryScan"
import type { BackgroundLeaseStore } from "@attestry/core/BackgroundLeaseStore"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as LeaderLease from "./LeaderLease.js"

const TURN = "api_key_expiry_scan"

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
    const { scan } = yield* ApiKeyExpiryScan
    const told = yield* LeaderLease.take({ name: TURN, intervalMillis }, scan)
    if (Option.isNone(told)) return
    yield* scanned("done")
    yield* Effect.logDebug("looked for API keys that end soon", { told: told.value })
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
