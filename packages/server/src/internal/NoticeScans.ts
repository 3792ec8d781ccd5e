/**
 * Scans periodically for API keys and waivers that expire and for environments that decay, each scan on one of all
 * servers of a store.
 *
 * A scan is idempotent.
 */
import { ApiKeyExpiryScan } from "@attestry/core/ApiKeyExpiryScan"
import type { BackgroundLeaseStore } from "@attestry/core/BackgroundLeaseStore"
import { EnvironmentDecayScan } from "@attestry/core/EnvironmentDecayScan"
import type { StoreError } from "@attestry/core/StoreError"
import { WaiverExpiryScan } from "@attestry/core/WaiverExpiryScan"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as LeaderLease from "./LeaderLease.js"

/** The longest pause between attempts to acquire a lease, which is a quarter of the interval. */
const POLL_MILLIS_MAX = 60_000

/** The longest interval of the scan for decays: a decay that comes within a day waits this long for its notice. */
const DECAY_INTERVAL_MILLIS_MAX = 60_000

/** A scan that returns how many notices it added. */
interface NoticeScan {
  /** The name of its lease. */
  readonly lease: string
  /** Its subject in log messages. */
  readonly subject: string
  readonly count: Metric.Metric.Counter<number>
  readonly intervalMillis: number
  readonly scan: Effect.Effect<number, StoreError>
}

const counter = (name: string, subject: string) =>
  Metric.counter(name, { description: `Scans for ${subject}, by result`, incremental: true })

const KEYS = "API keys that end soon"
const WAIVERS = "waivers that end soon"
const DECAYS = "environments that decay"

const expiryScans = counter("attestry_expiry_scans_total", `${KEYS}, and for waivers`)
const decayScans = counter("attestry_decay_scans_total", DECAYS)

const scanOnce = ({ count, intervalMillis, lease, scan, subject }: NoticeScan) => {
  const scanned = (result: "done" | "failed") =>
    Metric.increment(Metric.tagged(count, "result", result))
  return Effect.gen(function* () {
    const notified = yield* LeaderLease.take({ name: lease, intervalMillis }, scan)
    if (Option.isNone(notified)) return
    yield* scanned("done")
    yield* Effect.logDebug(`looked for ${subject}`, { notified: notified.value })
  }).pipe(
    Effect.catchTag("StoreError", (error) =>
      Effect.zipRight(scanned("failed"), Effect.logWarning(`could not look for ${subject}`, error))
    )
  )
}

const repeat = (scan: NoticeScan) =>
  scanOnce(scan).pipe(
    Effect.zipRight(Effect.sleep(Math.min(scan.intervalMillis / 4, POLL_MILLIS_MAX))),
    Effect.forever,
    Effect.forkScoped
  )

/** Starts the scans; they run until the scope closes. */
export const start = (
  expiryIntervalMillis: number
): Effect.Effect<
  void,
  never,
  ApiKeyExpiryScan | WaiverExpiryScan | EnvironmentDecayScan | BackgroundLeaseStore | Scope.Scope
> =>
  Effect.gen(function* () {
    const keys = yield* ApiKeyExpiryScan
    const waivers = yield* WaiverExpiryScan
    const decays = yield* EnvironmentDecayScan
    yield* repeat({
      lease: "api_key_expiry_scan",
      subject: KEYS,
      count: expiryScans,
      intervalMillis: expiryIntervalMillis,
      scan: keys.scan
    })
    yield* repeat({
      lease: "waiver_expiry_scan",
      subject: WAIVERS,
      count: expiryScans,
      intervalMillis: expiryIntervalMillis,
      scan: waivers.scan
    })
    yield* repeat({
      lease: "environment_decay_scan",
      subject: DECAYS,
      count: decayScans,
      intervalMillis: Math.min(expiryIntervalMillis, DECAY_INTERVAL_MILLIS_MAX),
      scan: decays.scan
    })
  })
