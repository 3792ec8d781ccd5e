/**
 * The worker that claims due deliveries from the outbox, sends them, and stores their outcomes. P-OUTBOX
 *
 * Any number of processes may run one. A claimed delivery is leased: when its process dies, another one sends it again
 * under the same id. Targets do not wait for each other, and targets that hang occupy separate slots
 * (`DeliveryScheduler`). `Channel` makes the attempts.
 */
import type { DeliveryOutcome, Settlement } from "@attestry/core/Delivery"
import { type ClaimRequest, OutboxStore } from "@attestry/core/OutboxStore"
import * as Span from "@attestry/core/Span"
import type { StoreError } from "@attestry/core/StoreError"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Channel from "./notification/Channel.js"
import * as DeliverySchedule from "./notification/DeliverySchedule.js"
import * as DeliveryMetrics from "./notification/internal/DeliveryMetrics.js"
import type * as DeliveryScheduler from "./notification/internal/DeliveryScheduler.js"
import * as InFlight from "./notification/internal/InFlight.js"

/** The options of the worker; all are optional. */
export interface Options extends Partial<DeliverySchedule.ScheduleOptions> {
  /**
   * Deliveries that this process sends at the same time; 512. Attempts that have lasted a second do not count, up to
   * twice as many attempts in all, the last quarter of which is for targets whose last attempt succeeded.
   */
  readonly concurrency?: number
  /** Deliveries of one queue that are claimed at a time, over all processes; 4. */
  readonly perQueue?: number
  /** The time limit of an attempt, in milliseconds, the same as the channels'; 15 seconds. */
  readonly timeoutMs?: number
  /** How long to wait before the next claim when nothing was due, in milliseconds; half a second. */
  readonly pollMillis?: number
  /** How often the outbox is measured, for metrics, in milliseconds; 15 seconds. */
  readonly measureMillis?: number
  /** How long the worker waits for attempts under way when it stops, in milliseconds; one second. */
  readonly graceMillis?: number
}

/** The worker. */
export class Notifier extends Context.Tag("@attestry/notifier/Notifier")<
  Notifier,
  {
    /** Claims due deliveries now instead of after `pollMillis`. */
    readonly wake: Effect.Effect<void>
  }
>() {}

const defaults: Required<Options> = {
  ...DeliverySchedule.defaults,
  concurrency: 512,
  perQueue: 4,
  timeoutMs: 15_000,
  pollMillis: 500,
  measureMillis: 15_000,
  graceMillis: 1_000
}

/** The most deliveries that are claimed, or settled, in one round trip. */
const BATCH_MAX = 256
/** Outcomes are collected for this long and settled together. */
const SETTLE_DELAY_MILLIS = 10
/** The shortest wait after a claim that found fewer deliveries than there were free slots. */
const CLAIM_PAUSE_MILLIS = 25
/** How long to wait for more free slots when few are free. */
const FEW_FREE_MILLIS = 20
/** How much longer a lease is than an attempt: for round trips to the store before and after it. */
const LEASE_SPARE_MILLIS = 15_000
/** An attempt that has lasted this long is slow. */
const SLOW_MILLIS = 1_000
/** How long to wait after a store error. */
const STORE_PAUSE_MILLIS = 1_000
/** The time limit of each step when the worker stops. */
const STOP_MILLIS = 3_000

/** Stops waiting for work after the time limit, also when the work or the caller is uninterruptible. */
const waitAtMost = <A, E>(millis: number, work: Effect.Effect<A, E>) =>
  Effect.timeoutOption(Effect.interruptible(Effect.disconnect(work)), millis)

/** Retries after a pause until there is no store error. */
const retryForever =
  (message: string) =>
  <A>(work: Effect.Effect<A, StoreError>): Effect.Effect<A> =>
    Effect.catchTag(work, "StoreError", (error) =>
      Effect.logWarning(message, error).pipe(
        Effect.zipRight(Effect.sleep(STORE_PAUSE_MILLIS)),
        Effect.zipRight(Effect.suspend(() => retryForever(message)(work)))
      )
    )

/** Waits until the latch is open, at most so long, and closes it: the next wait is for the next time. */
const awaitNext = (latch: Effect.Latch, millis?: number): Effect.Effect<unknown> =>
  Effect.zipLeft(
    millis === undefined ? latch.await : Effect.timeoutOption(latch.await, millis),
    latch.close
  )

const INTERNAL_ERROR = Channel.refused("internal error")

/** The outcome of an attempt; none when no attempt was made, then the delivery is due again after its lease. */
const outcomeOf = (
  { delivery: { attempts }, exit }: InFlight.Ended,
  options: DeliverySchedule.ScheduleOptions
): Effect.Effect<Option.Option<DeliveryOutcome>> => {
  const settle = (outcome: Channel.ChannelOutcome) =>
    Effect.map(Random.next, (chance) =>
      Option.some(DeliverySchedule.settle(outcome, { attempts, chance }, options))
    )
  if (Exit.isSuccess(exit)) return settle(exit.value)
  if (Cause.isInterrupted(exit.cause)) return Effect.succeedSome({ _tag: "Released" })
  return Option.isSome(Cause.failureOption(exit.cause))
    ? Effect.as(Effect.logWarning("a delivery could not be attempted", exit.cause), Option.none())
    : Effect.zipRight(
        Effect.logError("a delivery failed by a bug", exit.cause),
        settle(INTERNAL_ERROR)
      )
}

const DELIVERED: DeliveryOutcome = { _tag: "Delivered" }

const isAccepted = ({ exit }: InFlight.Ended): boolean =>
  Exit.isSuccess(exit) && exit.value._tag === "Accepted"

const settlementOf = (
  { delivery: { id, org_id, token } }: InFlight.Ended,
  outcome: DeliveryOutcome
): Settlement => ({ org_id, id, token, outcome })

// WHY: most attempts succeed, and their settlement needs neither a random number nor a log line.
const settlementsOf = (
  batch: ReadonlyArray<InFlight.Ended>,
  options: DeliverySchedule.ScheduleOptions
): Effect.Effect<ReadonlyArray<Settlement>> =>
  Effect.map(
    Effect.forEach(
      batch.filter((ended) => !isAccepted(ended)),
      (ended) =>
        Effect.map(
          outcomeOf(ended, options),
          Option.match({ onNone: () => [], onSome: (outcome) => [settlementOf(ended, outcome)] })
        )
    ),
    (others) => [
      ...batch.filter(isAccepted).map((ended) => settlementOf(ended, DELIVERED)),
      ...others.flat()
    ]
  )

/** Stores the outcomes of ended attempts, oldest first, until none is left. */
const makeSettling = (attempts: InFlight.InFlight, options: Required<Options>) =>
  Effect.map(OutboxStore, (outbox) => {
    // INVARIANT: ends are dropped after the outbox has stored them. Settling twice is harmless: the second time the
    // token is no longer the latest.
    const settleBatch = Effect.gen(function* () {
      const batch = attempts.peek(BATCH_MAX)
      const settlements = yield* settlementsOf(batch, options)
      const stored = yield* outbox.settle(settlements)
      attempts.drop(batch.length)
      DeliveryMetrics.settled(
        settlements.map(({ outcome }) => outcome),
        stored.length
      )
      if (stored.length < settlements.length) {
        yield* Effect.logDebug("some outcomes came after their lease")
      }
    })
    return Effect.whileLoop({
      while: () => attempts.peek(1).length > 0,
      body: () => settleBatch,
      step: () => {}
    }).pipe(retryForever("outcomes could not be written down"))
  })

/** Claims and starts as many deliveries as there are free slots; true when there may be more. */
const makeClaiming = (attempts: InFlight.InFlight, options: Required<Options>) =>
  Effect.map(OutboxStore, (outbox) => {
    const leaseMillis = options.timeoutMs + LEASE_SPARE_MILLIS
    const { now, scheduler } = attempts

    const claimFor = (
      slot: DeliveryScheduler.Slot,
      request: Pick<ClaimRequest, "perQueue" | "from">
    ) =>
      Effect.gen(function* () {
        const limit = Math.min(BATCH_MAX, scheduler.free(slot, now()))
        if (limit === 0) return false
        const startedAt = now()
        const claimed = yield* outbox.claim({ limit, leaseMillis, ...request })
        // WHY: after a slow claim the lease could end during the attempt, and another process would send too.
        if (now() - startedAt < LEASE_SPARE_MILLIS / 2) {
          for (const delivery of claimed) attempts.start(delivery, slot)
        }
        return claimed.length === limit
      }).pipe(
        // WHY: a delivery that is claimed and not started waits for the end of its lease.
        Effect.uninterruptible,
        retryForever("deliveries could not be claimed")
      )

    return Effect.gen(function* () {
      // WHY before `slowQueues`: it marks the queues of attempts that have become slow.
      const isFree = scheduler.free("quick", now()) > 0
      const queues = scheduler.slowQueues()
      const { perQueue } = options
      const more = isFree
        ? yield* claimFor("quick", { perQueue, from: { _tag: "AllBut", queues } })
        : yield* claimFor("answering", { perQueue, from: { _tag: "AnsweringBut", queues } })
      if (queues.length > 0) {
        yield* claimFor("slow", { perQueue: 1, from: { _tag: "Only", queues } })
      }
      return more
    })
  })

/** Updates the gauges of the outbox and of the attempts under way, periodically. */
const makeMeasuring = (attempts: InFlight.InFlight, { measureMillis }: Required<Options>) =>
  Effect.map(OutboxStore, (outbox) =>
    outbox.depth.pipe(
      Effect.andThen((found) =>
        Effect.sync(() => {
          DeliveryMetrics.depth(found)
          DeliveryMetrics.underWay(attempts.scheduler)
        })
      ),
      Effect.catchTag("StoreError", (error) =>
        Effect.logDebug("the outbox could not be measured", error)
      ),
      Effect.zipRight(Effect.sleep(measureMillis)),
      Effect.forever
    )
  )

const make = (given: Options) =>
  Effect.gen(function* () {
    const options: Required<Options> = { ...defaults, ...given }
    const channel = yield* Channel.Channel
    const attempts = yield* InFlight.make({
      send: (delivery) => Span.withSpan("Notifier.deliver", channel.send(delivery)),
      concurrency: options.concurrency,
      slowMillis: Math.min(SLOW_MILLIS, options.timeoutMs / 2)
    })
    const { scheduler } = attempts
    const settleAll = yield* makeSettling(attempts, options)
    const claim = yield* makeClaiming(attempts, options)
    const due = yield* Effect.makeLatch()

    const awaitFree = Effect.suspend(() => {
      const now = attempts.now()
      const free = scheduler.free("answering", now)
      return free > options.concurrency / 4
        ? Effect.void
        : free > 0
          ? Effect.sleep(FEW_FREE_MILLIS)
          : awaitNext(attempts.freed, scheduler.millisToSlow(now) || SLOW_MILLIS)
    })
    const awaitDue = Effect.zipRight(
      Effect.sleep(Math.min(CLAIM_PAUSE_MILLIS, options.pollMillis)),
      awaitNext(due, options.pollMillis)
    )
    const claiming = yield* awaitFree.pipe(
      Effect.zipRight(claim),
      Effect.flatMap((more) => (more ? Effect.void : awaitDue)),
      Effect.forever,
      Effect.forkDaemon
    )
    const settling = yield* awaitNext(attempts.ended).pipe(
      Effect.zipRight(Effect.sleep(SETTLE_DELAY_MILLIS)),
      Effect.zipRight(settleAll),
      // WHY: a queue that had `perQueue` deliveries claimed may have more that are due.
      Effect.zipRight(due.open),
      Effect.forever,
      Effect.forkDaemon
    )

    const measuring = yield* Effect.forkDaemon(yield* makeMeasuring(attempts, options))

    const awaitEnds = Effect.iterate(undefined, {
      while: () => scheduler.count() > 0,
      body: () => Effect.asVoid(awaitNext(attempts.freed))
    })
    const stop = Effect.gen(function* () {
      yield* waitAtMost(STOP_MILLIS, Fiber.interruptAll([claiming, measuring]))
      yield* waitAtMost(options.graceMillis, awaitEnds)
      yield* attempts.interruptAll
      yield* waitAtMost(STOP_MILLIS, Fiber.interrupt(settling))
      yield* waitAtMost(STOP_MILLIS, settleAll)
    })
    yield* Effect.addFinalizer(() => stop)
    return Notifier.of({ wake: Effect.asVoid(due.open) })
  })

/** Works from when the layer is built until its scope closes, which takes seconds at the most. */
export const layer = (
  options: Options = {}
): Layer.Layer<Notifier, never, OutboxStore | Channel.Channel> =>
  Layer.scoped(Notifier, make(options))
