/**
 * Which attempts are under way, and which have ended without being written down?
 *
 * Plain bookkeeping of one worker. Each attempt is a fiber of its own; whatever happens to it, its end
 * is kept here until the outbox has taken it. How many there may be is the business of `Lanes`.
 */
import type { ClaimedDelivery } from "@attestry/core/Delivery"
import type { StoreError } from "@attestry/core/StoreError"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Runtime from "effect/Runtime"
import * as RuntimeFlags from "effect/RuntimeFlags"
import type { ChannelOutcome } from "../Channel.js"
import * as DeliveryMetrics from "../DeliveryMetrics.js"
import * as Lanes from "./Lanes.js"
import * as Signal from "./Signal.js"

/** An attempt that has ended. */
export interface Ended {
  readonly delivery: ClaimedDelivery
  readonly exit: Exit.Exit<ChannelOutcome, StoreError>
}

/** The attempts of one worker. */
export interface Attempts {
  readonly start: (delivery: ClaimedDelivery, lane: Lanes.Lane) => void
  readonly lanes: Lanes.Lanes
  readonly now: () => number
  /** The oldest ends that are not written down, at most so many. */
  readonly peek: (max: number) => ReadonlyArray<Ended>
  /** Forgets the oldest ends. */
  readonly drop: (count: number) => void
  /** Interrupts all that are under way; their ends are noted as every other. */
  readonly interruptAll: Effect.Effect<void>
  /** Raised whenever an attempt ends. */
  readonly ended: Signal.Signal
  /** The same, for another who waits. */
  readonly freed: Signal.Signal
}

/** How attempts are made, and how many at a time. */
export interface AttemptsOptions extends Lanes.LaneOptions {
  readonly send: (delivery: ClaimedDelivery) => Effect.Effect<ChannelOutcome, StoreError>
}

/** Runs attempts with the services and the settings of the fiber that calls this. */
export const make = ({ send, ...options }: AttemptsOptions): Effect.Effect<Attempts> =>
  Effect.zipWith(Effect.runtime<never>(), Effect.clock, (current, clock) => {
    // WHY: metrics of every fiber cost as much as a small attempt; attempts have metrics of their own.
    const fork = Runtime.runFork(Runtime.disableRuntimeFlag(current, RuntimeFlags.RuntimeMetrics))
    const lanes = Lanes.make(options)
    const now = () => clock.unsafeCurrentTimeMillis()
    const fibers = new Set<Fiber.RuntimeFiber<ChannelOutcome, StoreError>>()
    const ends: Array<Ended> = []
    const ended = Signal.make()
    const freed = Signal.make()
    return {
      start: (delivery, lane) => {
        const running = lanes.start(delivery, lane, now())
        const fiber = fork(send(delivery))
        fibers.add(fiber)
        fiber.addObserver((exit) => {
          fibers.delete(fiber)
          const at = now()
          lanes.end(running, at)
          DeliveryMetrics.attempt(delivery, exit, at - running.startedAt)
          ends.push({ delivery, exit })
          ended.raise()
          freed.raise()
        })
      },
      lanes,
      now,
      peek: (max) => ends.slice(0, max),
      drop: (count) => {
        ends.splice(0, count)
      },
      interruptAll: Effect.suspend(() => Fiber.interruptAll([...fibers])),
      ended,
      freed
    }
  })
