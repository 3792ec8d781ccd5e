/**
 * Takes due deliveries out of the outbox, sends them, and writes down how that ended.
 *
 * Any number of processes may run one. What one of them holds is under lease: when it dies, somebody
 * else sends again, under the same id. Targets do not wait for each other, and those that hang take no
 * place of others (`DeliveryScheduler`). What is sent, and how, is `Channel`'s business. P-OUTBOX, B-92, B-97
 */
import type { ClaimedDelivery, DeliveryOutcome, Settlement } from "@attestry/core/Delivery"
import { type ClaimRequest, OutboxStore } from "@attestry/core/OutboxStore"
import * as Span from "@attestry/core/Span"
import type { StoreError } from "@attestry/core/StoreError"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberRef from "effect/FiberRef"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Channel from "./notification/Channel.js"
import * as DeliveryMetrics from "./notification/DeliveryMetrics.js"
import * as DeliverySchedule from "./notification/DeliverySchedule.js"
import type * as DeliveryScheduler from "./notification/internal/DeliveryScheduler.js"
import * as InFlight from "./notification/internal/InFlight.js"
import * as Signal from "./notification/internal/Signal.js"
import * as Task from "./outbound/Task.js"

/** How the worker works; everything may be left out. */
export interface Options extends Partial<DeliverySchedule.ScheduleOptions> {
  /**
   * Deliveries that this process sends at the same time; 512. Attempts that have lasted a second do not
   * count, until there are half as many of them; then as many places again are left, for targets that
   * took what was last sent to them.
   */
  readonly concurrency?: number
  /** Deliveries of one queue that are out at a time, over all processes; 4. */
  readonly perQueue?: number
  /** The longest that an attempt takes, in milliseconds, as the channels were told; 15 seconds. */
  readonly timeoutMs?: number
  /** How long to wait before looking again when nothing was due, in milliseconds; half a second. */
  readonly pollMillis?: number
  /** How often the outbox is measured, for metrics, in milliseconds; 15 seconds. */
  readonly measureMillis?: number
  /** How long attempts under way may go on when the worker ends, in milliseconds; one second. */
  readonly graceMillis?: number
}

/** The worker. */
export class Notifier extends Context.Tag("@attestry/notifier/Notifier")<
  Notifier,
  {
    /** Looks for due deliveries now and not only at the next turn. */
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

/** Deliveries that are claimed, or settled, in one round trip. */
const BATCH_MAX = 256
/** Outcomes are gathered for this long, so that one round trip serves many. */
const GATHER_MILLIS = 10
/** How long to wait at least after a claim that found less than there was room for. */
const CLAIM_PAUSE_MILLIS = 25
/** How long to gather room for more when there is little. */
const CROWDED_MILLIS = 20
/** What a lease has beyond the time of an attempt: for waiting on the store before it and after it. */
const LEASE_SPARE_MILLIS = 15_000
/** An attempt that has lasted this long is taken for one that hangs. */
const SLOW_MILLIS = 1_000
/** How long to wait after the store could not answer. */
const STORE_PAUSE_MILLIS = 1_000
/** How long writing down the last outcomes may take when the worker ends. */
const LAST_WORDS_MILLIS = 3_000

/** Cuts off work that may not be interruptible, wherever this is called. */
const within = <A, E>(millis: number, work: Effect.Effect<A, E>) =>
  Effect.timeoutOption(Effect.interruptible(Effect.disconnect(work)), millis)

/** Tries again, after a pause, as long as the store cannot answer. */
const persistently =
  (complaint: string) =>
  <A>(work: Effect.Effect<A, StoreError>): Effect.Effect<A> =>
    Effect.catchTag(work, "StoreError", (error) =>
      Effect.logWarning(complaint, error).pipe(
        Effect.zipRight(Effect.sleep(STORE_PAUSE_MILLIS)),
        Effect.zipRight(Effect.suspend(() => persistently(complaint)(work)))
      )
    )

const INTERNAL_ERROR = Channel.refused("internal error")

/** What the end of an attempt means; nothing when it was never made, which the lease's end repairs. */
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

// WHY: most attempts succeed, and what that means needs neither chance nor a log.
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

/** Writes down how attempts ended, oldest first, until the outbox has taken all that there are. */
const makeSettling = (attempts: InFlight.InFlight, options: Required<Options>) =>
  Effect.map(OutboxStore, (outbox) => {
    // INVARIANT: ends are forgotten only after the outbox has taken them. Settling twice does no harm:
    // the second time the token is no longer the latest.
    const settleBatch = Effect.gen(function* () {
      const batch = attempts.peek(BATCH_MAX)
      const settlements = yield* settlementsOf(batch, options)
      const taken = yield* outbox.settle(settlements)
      attempts.drop(batch.length)
      DeliveryMetrics.settled(
        settlements.map(({ outcome }) => outcome),
        taken.length
      )
      if (taken.length < settlements.length) {
        yield* Effect.logDebug("some outcomes came after their lease")
      }
    })
    return Effect.whileLoop({
      while: () => attempts.peek(1).length > 0,
      body: () => settleBatch,
      step: () => {}
    }).pipe(persistently("outcomes could not be written down"))
  })

/** Hands out as much as there is room for; answers whether there may be more. */
const makeClaiming = (attempts: InFlight.InFlight, options: Required<Options>) =>
  Effect.map(OutboxStore, (outbox) => {
    const leaseMillis = options.timeoutMs + LEASE_SPARE_MILLIS
    const { lanes, now } = attempts

    const claimFor = (
      lane: DeliveryScheduler.Lane,
      request: Pick<ClaimRequest, "perQueue" | "from">
    ) =>
      Effect.gen(function* () {
        const limit = Math.min(BATCH_MAX, lanes.room(lane, now()))
        if (limit === 0) return false
        const askedAt = now()
        const claimed = yield* outbox.claim({ limit, leaseMillis, ...request })
        // WHY: what was handed out long ago may belong to somebody else before its attempt has ended.
        if (now() - askedAt < LEASE_SPARE_MILLIS / 2) {
          for (const delivery of claimed) attempts.start(delivery, lane)
        }
        return claimed.length === limit
      }).pipe(
        // WHY: what was handed out and never started would wait for the end of its lease.
        Effect.uninterruptible,
        persistently("deliveries could not be claimed")
      )

    return Effect.gen(function* () {
      // Attempts that have become slow since the last look make their queues suspect first.
      lanes.room("quick", now())
      const queues = lanes.suspects()
      const { perQueue } = options
      const more =
        lanes.room("quick", now()) > 0
          ? yield* claimFor("quick", { perQueue, from: { _tag: "AllBut", queues } })
          : yield* claimFor("answering", { perQueue, from: { _tag: "AnsweringBut", queues } })
      if (queues.length > 0) {
        yield* claimFor("slow", { perQueue: 1, from: { _tag: "Only", queues } })
      }
      return more
    })
  })

/** Shows, every now and then, how full the outbox is and how much is under way. */
const makeMeasuring = (attempts: InFlight.InFlight, { measureMillis }: Required<Options>) =>
  Effect.map(OutboxStore, (outbox) =>
    outbox.depth.pipe(
      Effect.andThen((found) =>
        Effect.sync(() => {
          DeliveryMetrics.depth(found)
          DeliveryMetrics.underWay(attempts.lanes)
        })
      ),
      Effect.catchTag("StoreError", (error) =>
        Effect.logDebug("the outbox could not be measured", error)
      ),
      Effect.zipRight(Effect.sleep(measureMillis)),
      Effect.forever
    )
  )

/** InFlight as the channel makes them, each in a span while something traces. */
const traced = ({ send }: Channel.Channel["Type"]) =>
  Effect.gen(function* () {
    if (!(yield* FiberRef.get(FiberRef.currentTracerEnabled))) return send
    const run = yield* Task.runner
    return (delivery: ClaimedDelivery) =>
      run(Span.withSpan("Notifier.deliver", Task.toEffect(send(delivery))))
  })

const make = (given: Options) =>
  Effect.gen(function* () {
    const options: Required<Options> = { ...defaults, ...given }
    const channel = yield* Channel.Channel
    const attempts = yield* InFlight.make({
      send: yield* traced(channel),
      concurrency: options.concurrency,
      slowMillis: Math.min(SLOW_MILLIS, options.timeoutMs / 2)
    })
    const settleAll = yield* makeSettling(attempts, options)
    const claim = yield* makeClaiming(attempts, options)
    const due = Signal.make()

    const awaitRoom = Effect.suspend(() => {
      const now = attempts.now()
      const free = attempts.lanes.room("answering", now)
      return free > options.concurrency / 4
        ? Effect.void
        : free > 0
          ? Effect.sleep(CROWDED_MILLIS)
          : Signal.waitAtMost(attempts.freed, attempts.lanes.millisToAge(now) || SLOW_MILLIS)
    })
    const awaitDue = Effect.zipRight(
      Effect.sleep(Math.min(CLAIM_PAUSE_MILLIS, options.pollMillis)),
      Signal.waitAtMost(due, options.pollMillis)
    )
    const claiming = yield* awaitRoom.pipe(
      Effect.zipRight(claim),
      Effect.flatMap((more) => (more ? Effect.void : awaitDue)),
      Effect.forever,
      Effect.forkDaemon
    )
    const settling = yield* attempts.ended.wait.pipe(
      Effect.zipRight(Effect.sleep(GATHER_MILLIS)),
      Effect.zipRight(settleAll),
      // A queue that had as many out as it may has room again.
      Effect.zipRight(Effect.sync(due.raise)),
      Effect.forever,
      Effect.forkDaemon
    )

    const measuring = yield* Effect.forkDaemon(yield* makeMeasuring(attempts, options))

    const awaitEnds = Effect.iterate(undefined, {
      while: () => attempts.lanes.count() > 0,
      body: () => attempts.freed.wait
    })
    const stop = Effect.gen(function* () {
      yield* within(LAST_WORDS_MILLIS, Fiber.interruptAll([claiming, measuring]))
      yield* within(options.graceMillis, awaitEnds)
      yield* attempts.giveUpAll
      yield* within(LAST_WORDS_MILLIS, Fiber.interrupt(settling))
      yield* within(LAST_WORDS_MILLIS, settleAll)
    })
    yield* Effect.addFinalizer(() => stop)
    return Notifier.of({ wake: Effect.sync(due.raise) })
  })

/** Works from when the layer is built until its scope closes, which takes seconds at the most. */
export const layer = (
  options: Options = {}
): Layer.Layer<Notifier, never, OutboxStore | Channel.Channel> =>
  Layer.scoped(Notifier, make(options))
