/**
 * Which attempts are under way, and which have ended without being written down?
 *
 * Plain bookkeeping of one worker. Each attempt is a fiber of its own; whatever happens to it, its end
 * is kept here until the outbox has taken it.
 */
import type { ClaimedDelivery } from "@attestry/core/Delivery"
import type { StoreError } from "@attestry/core/StoreError"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Runtime from "effect/Runtime"
import type { ChannelOutcome } from "../Channel.js"
import * as Signal from "./Signal.js"

/** An attempt that has ended. */
export interface Ended {
  readonly delivery: ClaimedDelivery
  readonly exit: Exit.Exit<ChannelOutcome, StoreError>
}

/** The attempts of one worker. */
export interface Attempts {
  readonly start: (delivery: ClaimedDelivery) => void
  /** How many are under way. */
  readonly count: () => number
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

/** Runs attempts with the services and the settings of the fiber that calls this. */
export const make = (
  send: (delivery: ClaimedDelivery) => Effect.Effect<ChannelOutcome, StoreError>
): Effect.Effect<Attempts> =>
  Effect.map(Effect.runtime<never>(), (runtime) => {
    const fork = Runtime.runFork(runtime)
    const running = new Set<Fiber.RuntimeFiber<ChannelOutcome, StoreError>>()
    const ends: Array<Ended> = []
    const ended = Signal.make()
    const freed = Signal.make()
    return {
      start: (delivery) => {
        const fiber = fork(send(delivery))
        running.add(fiber)
        fiber.addObserver((exit) => {
          running.delete(fiber)
          ends.push({ delivery, exit })
          ended.raise()
          freed.raise()
        })
      },
      count: () => running.size,
      peek: (max) => ends.slice(0, max),
      drop: (count) => {
        ends.splice(0, count)
      },
      interruptAll: Effect.suspend(() => Fiber.interruptAll([...running])),
      ended,
      freed
    }
  })
