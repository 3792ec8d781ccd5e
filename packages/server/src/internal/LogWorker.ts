/**
 * Brings logs up to date: of orgs that were written to ten times a second, and of all others by a sweep on one server.
 * Several orgs at a time; the checkpoints of a batch of orgs are remembered by one write of the state file.
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
import { LogStore, type LogVisibility } from "@attestry/core/LogStore"
import { PENDING_MAX } from "@attestry/core/LogViews"
import type { Org } from "@attestry/core/Org"
import { OrgStore } from "@attestry/core/OrgStore"
import type { StoreError } from "@attestry/core/StoreError"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
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
/** How many orgs are worked on at a time, of the ten connections of a process. */
const AT_ONCE = 4
/** How many orgs are integrated before some are signed. WHY not all: the first would wait for the last. */
const BATCH_MAX = 64
/** How often a sweep looks at every org. WHY at all: a database that was restored draws numbers again. */
const SWEPT_WHOLE_MILLIS = 3_600_000
/** How many logs are signed by one write of the state file. */
const SIGNED_MAX = 256
/** How long signing rests, in times that it took. */
const REST_TIMES = 2
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
const integrate = (org: Org, publicUrl: string, visibility: LogVisibility) =>
  Effect.gen(function* () {
    const [store, sequencer] = [yield* LogStore, yield* LogSequencer]
    const once = Metric.trackDuration(sequencer.integrate(org.id, visibility), seconds)
    const all = Effect.repeat(
      Effect.tap(once, ({ added }) => Metric.incrementBy(integrated, added)),
      { while: ({ isPart }) => isPart }
    )
    const { added } = yield* all
    // WHY only then: an org without a log gets no leaves, and looking costs as much as a leaf.
    if (added > 0 || Option.isSome(yield* store.find(org.id))) return
    yield* sequencer.start(org.id, Log.originOf(publicUrl, org.name))
    yield* all
  })

const warn = (org: Org, error: StoreError) =>
  Effect.logWarning("could not bring a log up to date", { org: org.name }, error)

/** Makes leaves of the entries of some orgs. WHY one look at what is visible: it holds for every org. */
const integrateAll = (orgs: ReadonlyArray<Org>, publicUrl: string) =>
  Effect.gen(function* () {
    if (orgs.length === 0) return
    const visibility = yield* (yield* LogStore).visibility
    yield* Effect.forEach(
      orgs,
      (org) =>
        Effect.catchTag(integrate(org, publicUrl, visibility), "StoreError", (error) =>
          warn(org, error)
        ),
      { concurrency: AT_ONCE, discard: true }
    )
  })

/** Signs the logs of some orgs by one write of the state file. */
const publishAll = (orgs: ReadonlyArray<Org>) =>
  Effect.gen(function* () {
    if (orgs.length === 0) return
    const outcomes = yield* (yield* LogCheckpoints).publishAll(orgs.map(({ id }) => id))
    for (const org of orgs) {
      const outcome = outcomes.get(org.id)
      if (outcome === undefined) continue
      if (Either.isLeft(outcome)) yield* warn(org, outcome.left)
      else if (outcome.right === "signed") yield* Metric.increment(signed)
      else if (outcome.right === "forked") {
        yield* Metric.increment(forks)
        yield* Effect.logError("the log does not continue what was signed", { org: org.name })
      }
    }
  })

/** Integrates marked orgs, and signs each at most once in `SIGNED_EVERY_MILLIS`; orgs that wait for that are due. */
const makeFollow = (publicUrl: string) => {
  const signedAt = new Map<string, number>()
  const due = new Map<string, Org>()
  let resting = 0

  const integrateMarked = (names: ReadonlyArray<OrgName>) =>
    Effect.gen(function* () {
      const orgs = yield* OrgStore
      const found = yield* Effect.forEach(
        names,
        (name) => Effect.orElseSucceed(orgs.find({ name }), Option.none),
        { concurrency: AT_ONCE }
      )
      const marked = found.flatMap(Option.toArray)
      for (const org of marked) due.set(org.name, org)
      yield* Effect.catchTag(integrateAll(marked, publicUrl), "StoreError", (error) =>
        Effect.logWarning("could not bring logs up to date", error)
      )
    })

  const publishDue = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (now < resting) return
    const ready = [...due.values()]
      .filter(({ name }) => now - (signedAt.get(name) ?? 0) >= SIGNED_EVERY_MILLIS)
      .slice(0, SIGNED_MAX)
    for (const { name } of ready) {
      due.delete(name)
      signedAt.set(name, now)
    }
    yield* publishAll(ready)
    // WHY a rest: logs that come due meanwhile share the next write of the state file.
    const took = (yield* Clock.currentTimeMillis) - now
    resting = now + took + Math.min(REST_TIMES * took, SIGNED_EVERY_MILLIS)
  })

  return Effect.gen(function* () {
    const names = (yield* LogMarks).take().filter(isName)
    for (const batch of Chunk.chunksOf(Chunk.fromIterable(names), BATCH_MAX)) {
      yield* integrateMarked([...batch])
      yield* publishDue
    }
    yield* publishDue
  })
}

/** How many entries of these orgs wait. */
const countPending = (orgs: ReadonlyArray<OrgId>) =>
  Effect.gen(function* () {
    const store = yield* LogStore
    const counts = yield* Effect.forEach(
      orgs,
      (id) =>
        Effect.flatMap(store.find(id), (tree) =>
          Option.isSome(tree) ? store.countPending(tree.value, PENDING_MAX) : Effect.succeed(0)
        ),
      { concurrency: AT_ONCE }
    )
    return counts.reduce((sum, count) => sum + count, 0)
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

/** What the last sweep has found: up to a number, every entry has a leaf but those of the orgs that were behind. */
interface Swept {
  readonly above: number
  readonly behind: ReadonlyArray<OrgId>
  /** When every org was looked at. */
  readonly wholeAt: number
}

/** Brings orgs up to date that are behind. It looks at orgs that have written since the last sweep of this process. */
const makeSweep = (publicUrl: string) => {
  let swept: Swept = { above: 0, behind: [], wholeAt: 0 }

  const listBehind = Effect.gen(function* () {
    const store = yield* LogStore
    const now = yield* Clock.currentTimeMillis
    const isWhole = now - swept.wholeAt >= SWEPT_WHOLE_MILLIS
    // INVARIANT: what is visible is read first, so that every entry up to it is looked at.
    const { upTo } = yield* store.visibility
    const behind = yield* store.listBehind({
      above: isWhole ? 0 : swept.above,
      also: isWhole ? [] : swept.behind,
      limit: SWEPT_MAX
    })
    // Where there are more, the next sweep begins at the same place.
    if (behind.length < SWEPT_MAX) {
      swept = { above: upTo, behind, wholeAt: isWhole ? now : swept.wholeAt }
    }
    return behind
  })

  return Effect.gen(function* () {
    const orgs = yield* OrgStore
    const behind = yield* listBehind
    yield* Metric.set(pending, yield* countPending(behind))
    for (const batch of Chunk.chunksOf(Chunk.fromIterable(behind), BATCH_MAX)) {
      const found = yield* Effect.forEach(batch, (id) => orgs.find({ id }), {
        concurrency: AT_ONCE
      })
      const present = found.flatMap(Option.toArray)
      yield* integrateAll(present, publicUrl)
      yield* publishAll(present)
    }
  })
}

const sweepOnce = (sweep: ReturnType<typeof makeSweep>) =>
  LeaderLease.take(SWEEP, sweep).pipe(
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
  // WHY suspended: what a worker remembers is of the store that it runs on.
  Effect.suspend(() =>
    Effect.all(
      [
        Effect.forever(Effect.zipRight(makeFollow(publicUrl), Effect.sleep(PAUSE))),
        Effect.forever(
          Effect.zipRight(sweepOnce(makeSweep(publicUrl)), Effect.sleep(SWEEP_MILLIS / 3))
        ),
        Effect.forever(Effect.zipRight(measureLag, Effect.sleep(SWEEP_MILLIS / 3))),
        Effect.forever(Effect.zipRight(thinOnce, Effect.sleep(THINNING_PAUSE)))
      ],
      { concurrency: "unbounded" }
    )
  ).pipe(Effect.zipRight(Effect.never))
