/**
 * Which attempts are under way, and which have ended without being written down?
 *
 * Plain bookkeeping of one worker. Whatever happens to an attempt, its end is kept here until the outbox
 * has taken it. How many there may be is the business of `DeliveryScheduler`.
 */
import type { ClaimedDelivery } from "@attestry/core/Delivery"
import type { StoreError } from "@attestry/core/StoreError"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as Task from "../../outbound/Task.js"
import type { ChannelOutcome } from "../Channel.js"
import * as DeliveryMetrics from "../DeliveryMetrics.js"
import * as DeliveryScheduler from "./DeliveryScheduler.js"
import * as Signal from "./Signal.js"

/** An attempt that has ended. */
export interface Ended {
  readonly delivery: ClaimedDelivery
  readonly exit: Exit.Exit<ChannelOutcome, StoreError>
}

/** The attempts of one worker. */
export interface InFlight {
  readonly start: (delivery: ClaimedDelivery, lane: DeliveryScheduler.Lane) => void
  readonly lanes: DeliveryScheduler.DeliveryScheduler
  readonly now: () => number
  /** The oldest ends that are not written down, at most so many. */
  readonly peek: (max: number) => ReadonlyArray<Ended>
  /** Forgets the oldest ends. */
  readonly drop: (count: number) => void
  /** Gives up all that are under way; their ends are noted as every other. */
  readonly giveUpAll: Effect.Effect<void>
  /** Raised whenever an attempt ends. */
  readonly ended: Signal.Signal
  /** The same, for another who waits. */
  readonly freed: Signal.Signal
}

/** How attempts are made, and how many at a time. */
export interface AttemptsOptions extends DeliveryScheduler.LaneOptions {
  readonly send: (delivery: ClaimedDelivery) => Task.Task<ChannelOutcome, StoreError>
}

const nothingToCancel: Task.Cancel = () => {}

/** Makes attempts by the clock of the fiber that calls this. */
export const make = ({ send, ...options }: AttemptsOptions): Effect.Effect<InFlight> =>
  Effect.map(Effect.clock, (clock) => {
    const lanes = DeliveryScheduler.make(options)
    const now = () => clock.unsafeCurrentTimeMillis()
    const cancels = new Map<DeliveryScheduler.Running, Task.Cancel>()
    const ends: Array<Ended> = []
    const ended = Signal.make()
    const freed = Signal.make()

    const end = (running: DeliveryScheduler.Running, exit: Ended["exit"]) => {
      // INVARIANT: an attempt ends once; what comes after it was given up changes nothing.
      if (!cancels.delete(running)) return
      const { delivery, startedAt } = running
      const at = now()
      lanes.end(running, at)
      DeliveryMetrics.attempt(delivery, exit, at - startedAt)
      ends.push({ delivery, exit })
      ended.raise()
      freed.raise()
    }

    return {
      start: (delivery, lane) => {
        const running = lanes.start(delivery, lane, now())
        cancels.set(running, nothingToCancel)
        const cancel = Task.suspend(() => send(delivery))((exit) => end(running, exit))
        if (cancels.has(running)) cancels.set(running, cancel)
      },
      lanes,
      now,
      peek: (max) => ends.slice(0, max),
      drop: (count) => {
        ends.splice(0, count)
      },
      giveUpAll: Effect.sync(() => {
        for (const [running, cancel] of [...cancels]) {
          cancel()
          end(running, Exit.interrupt(FiberId.none))
        }
      }),
      ended,
      freed
    }
  })
