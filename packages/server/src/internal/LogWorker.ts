/**
 * Brings logs up to date: of orgs that were written to ten times a second, and of all others by a sweep on one server.
 *
 * Every server integrates the orgs it has written to; the lock of a tree keeps servers apart. What a server that died
 * has left is found by the sweep.
 */
import type { BackgroundLeaseStore } from "@attestry/core/BackgroundLeaseStore"
import type { OrgId } from "@attestry/core/Identifier"
import { OrgName } from "@attestry/core/Identifier"
import * as Log from "@attestry/core/Log"
import { LogCheckpoints } from "@attestry/core/LogCheckpoints"
import { LogSequencer } from "@attestry/core/LogSequencer"
import { LogStore } from "@attestry/core/LogStore"
import { OrgStore } from "@attestry/core/OrgStore"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as LeaderLease from "./LeaderLease.js"
import { LogMarks } from "./LogMarks.js"

const LEASE = "log-sweep"
const PAUSE = "100 millis"
const SWEEP_MILLIS = 15_000
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

const isName = Schema.is(OrgName)

/** Brings the log of one org up to date. */
const catchUp = (org: { readonly id: OrgId; readonly name: string }, publicUrl: string) =>
  Effect.gen(function* () {
    const [store, sequencer, checkpoints] = [
      yield* LogStore,
      yield* LogSequencer,
      yield* LogCheckpoints
    ]
    if (Option.isNone(yield* store.find(org.id))) {
      yield* sequencer.start(org.id, Log.originOf(publicUrl, org.name))
    }
    yield* Effect.repeat(
      Effect.tap(sequencer.integrate(org.id), ({ added }) => Metric.incrementBy(integrated, added)),
      { while: ({ isPart }) => isPart }
    )
    const outcome = yield* checkpoints.publish(org.id)
    if (outcome === "signed") yield* Metric.increment(signed)
    if (outcome === "forked") {
      yield* Metric.increment(forks)
      yield* Effect.logError("the log does not continue what was signed", { org: org.name })
    }
  }).pipe(
    Effect.catchTag("StoreError", (error) =>
      Effect.logWarning("could not bring a log up to date", { org: org.name }, error)
    )
  )

const followOnce = (publicUrl: string) =>
  Effect.gen(function* () {
    const marks = yield* LogMarks
    const orgs = yield* OrgStore
    for (const name of marks.take().filter(isName)) {
      const org = yield* Effect.orElseSucceed(orgs.findByName(name), Option.none)
      if (Option.isSome(org)) yield* catchUp(org.value, publicUrl)
    }
  })

const sweep = (publicUrl: string) =>
  Effect.gen(function* () {
    const [store, orgs] = [yield* LogStore, yield* OrgStore]
    for (const id of yield* store.listBehind(SWEPT_MAX)) {
      const org = yield* orgs.findById(id)
      if (Option.isSome(org)) yield* catchUp(org.value, publicUrl)
    }
  })

const sweepOnce = (publicUrl: string) =>
  LeaderLease.take({ name: LEASE, intervalMillis: SWEEP_MILLIS }, sweep(publicUrl)).pipe(
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
        Effect.forever(Effect.zipRight(followOnce(publicUrl), Effect.sleep(PAUSE))),
        Effect.forever(Effect.zipRight(sweepOnce(publicUrl), Effect.sleep(SWEEP_MILLIS)))
      ],
      { concurrency: "unbounded" }
    ),
    Effect.never
  )
