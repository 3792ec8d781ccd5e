/**
 * The attempts of one worker that are under way, and those that have ended and are not yet settled.
 *
 * INVARIANT: the end of every attempt stays here until the outbox has stored it. `DeliveryScheduler` decides how many
 * attempts there may be.
 */
import type { ClaimedDelivery } from "@attestry/core/Delivery"
import type { StoreError } from "@attestry/core/StoreError"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import * as Runtime from "effect/Runtime"
import * as RuntimeFlags from "effect/RuntimeFlags"
import type { ChannelOutcome } from "../Channel.js"
import * as DeliveryMetrics from "./DeliveryMetrics.js"
import * as DeliveryScheduler from "./DeliveryScheduler.js"

/** An attempt that has ended. */
export interface Ended {
  readonly delivery: ClaimedDelivery
  readonly exit: Exit.Exit<ChannelOutcome, StoreError>
}

/** The attempts of one worker. */
export interface InFlight {
  readonly start: (delivery: ClaimedDelivery, slot: DeliveryScheduler.Slot) => void
  readonly scheduler: DeliveryScheduler.DeliveryScheduler
  readonly now: () => number
  /** The oldest outcomes that are not settled, up to a limit. */
  readonly peek: (max: number) => ReadonlyArray<Ended>
  /** Removes the oldest ends. */
  readonly drop: (count: number) => void
  /** Interrupts all attempts under way without waiting; each ends as interrupted. */
  readonly interruptAll: Effect.Effect<void>
  /** Opened when an attempt ends; the fiber that settles closes it. */
  readonly ended: Effect.Latch
  /** Opened when an attempt ends; the fiber that waits for a free slot closes it. */
  readonly freed: Effect.Latch
}

/** How attempts are made, and how many at a time. */
export interface InFlightOptions extends DeliveryScheduler.SchedulerOptions {
  readonly send: (delivery: ClaimedDelivery) => Effect.Effect<ChannelOutcome, StoreError>
}

/** Makes attempts with the runtime and the clock of the calling fiber. */
export const make = ({ send, ...options }: InFlightOptions): Effect.Effect<InFlight> =>
  Effect.gen(function* () {
    const clock = yield* Effect.clock
    // WHY: Effect's metrics of each fiber cost as much as a small effect; `DeliveryMetrics` counts attempts.
    const runtime = Runtime.disableRuntimeFlag(
      yield* Effect.runtime<never>(),
      RuntimeFlags.RuntimeMetrics
    )
    const fork = Runtime.runFork(runtime)
    const scheduler = DeliveryScheduler.make(options)
    const now = () => clock.unsafeCurrentTimeMillis()
    const fibers = new Map<DeliveryScheduler.Running, Fiber.RuntimeFiber<unknown, unknown>>()
    const ends: Array<Ended> = []
    const ended = yield* Effect.makeLatch()
    const freed = yield* Effect.makeLatch()

    const end = (running: DeliveryScheduler.Running, exit: Ended["exit"]) => {
      // INVARIANT: an attempt ends once; the exit of an interrupted fiber is ignored.
      if (!fibers.delete(running)) return
      const { delivery, startedAt } = running
      const at = now()
      scheduler.end(running, at)
      DeliveryMetrics.attempt(delivery, exit, at - startedAt)
      ends.push({ delivery, exit })
      ended.unsafeOpen()
      freed.unsafeOpen()
    }

    return {
      start: (delivery, slot) => {
        const running = scheduler.start(delivery, slot, now())
        const fiber = fork(Effect.suspend(() => send(delivery)))
        fibers.set(running, fiber)
        fiber.addObserver((exit) => end(running, exit))
      },
      scheduler,
      now,
      peek: (max) => ends.slice(0, max),
      drop: (count) => {
        ends.splice(0, count)
      },
      interruptAll: Effect.suspend(() => {
        const interrupted = [...fibers]
        for (const [running] of interrupted) end(running, Exit.interrupt(FiberId.none))
        return Effect.forEach(interrupted, ([, fiber]) => Fiber.interruptFork(fiber), {
          discard: true
        })
      }),
      ended,
      freed
    }
  })
