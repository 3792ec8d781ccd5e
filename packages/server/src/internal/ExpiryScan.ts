/**
 * Scans periodically for API keys that expire soon, on one of all servers of a store.
 *
 * A scan is idempotent.
 */
import { ApiKeyExpiryScan } from "@attestry/core/ApiKeyExpiryScan"
import type { BackgroundLeaseStore } from "@attestry/core/BackgroundLeaseStore"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as LeaderLease from "./LeaderLease.js"

const LEASE = "api_key_expiry_scan"

/** The longest pause between attempts to acquire the lease, which is a quarter of the interval. */
const POLL_MILLIS_MAX = 60_000

const scans = Metric.counter("attestry_expiry_scans_total", {
  description: "Scans for API keys that end soon, by result",
  incremental: true
})
const scanned = (result: "done" | "failed") =>
  Metric.increment(Metric.tagged(scans, "result", result))

const scanOnce = (intervalMillis: number) =>
  Effect.gen(function* () {
    const { scan } = yield* ApiKeyExpiryScan
    const notified = yield* LeaderLease.take({ name: LEASE, intervalMillis }, scan)
    if (Option.isNone(notified)) return
    yield* scanned("done")
    yield* Effect.logDebug("looked for API keys that end soon", { notified: notified.value })
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
  scanOnce(intervalMillis).pipe(
    Effect.zipRight(Effect.sleep(Math.min(intervalMillis / 4, POLL_MILLIS_MAX))),
    Effect.forever
  )
