/**
 * Brings logs up to date: of orgs that were written to ten times a second, and of all others by a sweep on one server.
 *
 * Every server integrates the orgs it has written to; the lock of a tree keeps servers apart. What a server that died
 * has left is found by the sweep.
 */
import type { BackgroundLeaseStore } from "@attestry/core/BackgroundLeaseStore"
import * as CheckpointThinning from "@attestry/core/CheckpointThinning"
import { type OrgId, OrgName } from "@attestry/core/Identifier"
import * as Log from "@attestry/core/Log"
import { LogCheckpoints } from "@attestry/core/LogCheckpoints"
import { LogSequencer } from "@attestry/core/LogSequencer"
import { LogStore } from "@attestry/core/LogStore"
import { PENDING_MAX } from "@attestry/core/LogViews"
import type { Org } from "@attestry/core/Org"
import { OrgStore } from "@attestry/core/OrgStore"
import type { StoreError } from "@attestry/core/StoreError"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as LeaderLease from "./LeaderLease.js"
import { LogMarks } from "./LogMarks.js"

const PAUSE = "100 millis"
const SWEEP_MILLIS = 15_000
/** WHY a short lease: entries of a server that died are integrated within 30 seconds. */
const SWEEP = { name: "log-sweep", intervalMillis: SWEEP_MILLIS, leaseMillis: SWEEP_MILLIS }
/** A log is signed at most once in this time. */
const SIGNED_EVERY_MILLIS = 500
const THINNING = { name: "log-thin", intervalMillis: 86_400_000 }
const THINNING_PAUSE = "1 hour"
/** How many orgs one sweep brings up to date. */
const SWEPT_MAX = 1_000

const integrated = Metric.counter("attestry_log_integrated_total", {
  description: "Entries of journals that became leaves of a log",
  incremental: true
})
const signed = Metric.counter("attestry_log_checkpoints_total", {
  description: "Checkpoints of logs that were signed",
  incremental: true
})
const forks = Metric.counter("attestry_log_forks_total", {
  description: "Attempts to sign a log that does not continue what was signed",
  incremental: true
})

const pending = Metric.gauge("attestry_log_pending", {
  description: "Entries of journals that the last sweep found without a leaf"
})
const lag = Metric.gauge("attestry_log_horizon_lag_seconds", {
  description: "How long a transaction that may still write an entry has been open"
})
const seconds = Metric.timerWithBoundaries(
  "attestry_log_integration_seconds",
  [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000],
  "Time of one integration of entries into a log"
)

const thinned = Metric.counter("attestry_log_thinned_total", {
  description: "Old checkpoints that were removed because a later one stands for them",
  incremental: true
})

const isName = Schema.is(OrgName)

/** Makes leaves of the entries of one org. */
const integrate = (org: Org, publicUrl: string) =>
  Effect.gen(function* () {
    const [store, sequencer] = [yield* LogStore, yield* LogSequencer]
    if (Option.isNone(yield* store.find(org.id))) {
      yield* sequencer.start(org.id, Log.originOf(publicUrl, org.name))
    }
    yield* Effect.repeat(
      Effect.tap(Metric.trackDuration(sequencer.integrate(org.id), seconds), ({ added }) =>
        Metric.incrementBy(integrated, added)
      ),
      { while: ({ isPart }) => isPart }
    )
  })

const publish = (org: Org) =>
  Effect.gen(function* () {
    const outcome = yield* (yield* LogCheckpoints).publish(org.id)
    if (outcome === "signed") yield* Metric.increment(signed)
    if (outcome === "forked") {
      yield* Metric.increment(forks)
      yield* Effect.logError("the log does not continue what was signed", { org: org.name })
    }
  })

const warned = <A, R>(org: Org, work: Effect.Effect<A, StoreError, R>) =>
  Effect.catchTag(work, "StoreError", (error) =>
    Effect.logWarning("could not bring a log up to date", { org: org.name }, error)
  )

/** Integrates marked orgs, and signs each at most once in `SIGNED_EVERY_MILLIS`; orgs that wait for that are due. */
const makeFollow = (publicUrl: string) => {
  const signedAt = new Map<string, number>()
  const due = new Map<string, Org>()

  const integrateMarked = Effect.gen(function* () {
    const [marks, orgs] = [yield* LogMarks, yield* OrgStore]
    for (const name of marks.take().filter(isName)) {
      const found = yield* Effect.orElseSucceed(orgs.find({ name: name }), Option.none)
      if (Option.isNone(found)) continue
      due.set(name, found.value)
      yield* warned(found.value, integrate(found.value, publicUrl))
    }
  })

  return Effect.gen(function* () {
    yield* integrateMarked
    const now = yield* Clock.currentTimeMillis
    for (const [name, org] of due) {
      if (now - (signedAt.get(name) ?? 0) < SIGNED_EVERY_MILLIS) continue
      due.delete(name)
      signedAt.set(name, now)
      yield* warned(org, publish(org))
    }
  })
}

/** How many entries of these orgs wait. */
const countPending = (orgs: ReadonlyArray<OrgId>) =>
  Effect.gen(function* () {
    const store = yield* LogStore
    let count = 0
    for (const id of orgs) {
      const tree = yield* store.find(id)
      if (Option.isSome(tree)) count += yield* store.countPending(tree.value, PENDING_MAX)
    }
    return count
  })

/** WHY on every server: each knows only the transactions that it has seen itself. */
const measureLag = Effect.gen(function* () {
  const store = yield* LogStore
  const { lagMillis } = yield* store.visibility
  yield* Metric.set(lag, lagMillis / 1_000)
}).pipe(
  // WHY ignored: the sweep reports a store that is away.
  Effect.catchTag("StoreError", () => Effect.void)
)

/** Thins the checkpoints of all orgs, once a day on one server. */
const thinOnce = LeaderLease.take(
  THINNING,
  Effect.gen(function* () {
    const [orgs, status] = [yield* OrgStore, yield* LogStore]
    const thinning = CheckpointThinning.at(Timestamp.fromMillis(yield* Clock.currentTimeMillis))
    for (const { id } of yield* orgs.list) {
      yield* Metric.incrementBy(thinned, yield* status.thinCheckpoints(id, thinning))
    }
  })
).pipe(
  Effect.catchTag("StoreError", (error) => Effect.logWarning("could not thin checkpoints", error))
)

const sweep = (publicUrl: string) =>
  Effect.gen(function* () {
    const [store, orgs] = [yield* LogStore, yield* OrgStore]
    const behind = yield* store.listBehind(SWEPT_MAX)
    yield* Metric.set(pending, yield* countPending(behind))
    for (const id of behind) {
      const org = yield* orgs.find({ id: id })
      if (Option.isNone(org)) continue
      yield* warned(org.value, Effect.zipRight(integrate(org.value, publicUrl), publish(org.value)))
    }
  })

const sweepOnce = (publicUrl: string) =>
  LeaderLease.take(SWEEP, sweep(publicUrl)).pipe(
    Effect.catchTag("StoreError", (error) => Effect.logWarning("could not sweep logs", error))
  )

type Services =
  | BackgroundLeaseStore
  | LogCheckpoints
  | LogMarks
  | LogSequencer
  | LogStore
  | OrgStore

/** Works until it is interrupted. */
export const run = (publicUrl: string): Effect.Effect<never, never, Services> =>
  Effect.zipRight(
    Effect.all(
      [
        Effect.forever(Effect.zipRight(makeFollow(publicUrl), Effect.sleep(PAUSE))),
        Effect.forever(Effect.zipRight(sweepOnce(publicUrl), Effect.sleep(SWEEP_MILLIS / 3))),
        Effect.forever(Effect.zipRight(measureLag, Effect.sleep(SWEEP_MILLIS / 3))),
        Effect.forever(Effect.zipRight(thinOnce, Effect.sleep(THINNING_PAUSE)))
      ],
      { concurrency: "unbounded" }
    ),
    Effect.never
  )
