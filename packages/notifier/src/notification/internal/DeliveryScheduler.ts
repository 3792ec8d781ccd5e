/**
 * Decides how many attempts may start now, and of which queues.
 *
 * Attempts that end soon never wait for those that hang. An attempt is quick until it has lasted `slowMillis`; then it
 * no longer occupies a quick slot, and its queue is slow: deliveries of a slow queue use a few separate slots, one
 * delivery of a queue at a time, until an attempt is quick again. The last quarter of all slots is for queues whose
 * last attempt succeeded. Pure bookkeeping: callers pass the time.
 */
import type { ClaimedDelivery, QueueKey } from "@attestry/core/Delivery"

/** An attempt under way. */
export interface Running {
  readonly delivery: ClaimedDelivery
  readonly startedAt: number
}

/** The kind of slot that an attempt occupies; `answering` is a quick slot for a queue whose last attempt succeeded. */
export type Slot = "quick" | "answering" | "slow"

/** The number of slots. */
export interface SchedulerOptions {
  /** Quick attempts at the same time. */
  readonly concurrency: number
  /** An attempt that has lasted this long is not quick. */
  readonly slowMillis: number
}

/** The slots of one worker. */
export interface DeliveryScheduler {
  readonly start: (delivery: ClaimedDelivery, slot: Slot, now: number) => Running
  readonly end: (running: Running, now: number) => void
  /** How many more attempts may start. */
  readonly free: (slot: Slot, now: number) => number
  /** How long until the oldest quick attempt is no longer quick; 0 when there is none. */
  readonly millisToSlow: (now: number) => number
  /** The queues whose deliveries use slow slots. */
  readonly slowQueues: () => ReadonlyArray<QueueKey>
  /** The number of attempts under way. */
  readonly count: () => number
  /** The number of quick attempts under way. */
  readonly countQuick: () => number
}

/** The most slow queues that are remembered; the oldest are dropped first. */
export const SLOW_QUEUES_MAX = 4_096

const keyOf = ({ org_id, queue }: QueueKey): string => `${org_id} ${queue}`

const makeSlowQueues = () => {
  const queues = new Map<string, QueueKey>()
  return {
    add: ({ org_id, queue }: QueueKey) => {
      queues.set(keyOf({ org_id, queue }), { org_id, queue })
      for (const oldest of queues.keys()) {
        if (queues.size <= SLOW_QUEUES_MAX) return
        queues.delete(oldest)
      }
    },
    remove: (queue: QueueKey) => {
      if (queues.size > 0) queues.delete(keyOf(queue))
    },
    list: (): ReadonlyArray<QueueKey> => [...queues.values()]
  }
}

/** A scheduler with nothing under way. */
export const make = ({ concurrency, slowMillis }: SchedulerOptions): DeliveryScheduler => {
  // INVARIANT: `quick` is ordered by start; it and `slow` are disjoint subsets of `running`.
  const running = new Set<Running>()
  const quick = new Set<Running>()
  const slow = new Set<Running>()
  const slowQueues = makeSlowQueues()
  const slowMax = Math.max(1, Math.floor(concurrency / 4))
  const runningMax = concurrency * 2
  const reserved = Math.floor(runningMax / 4)

  const age = (now: number) => {
    for (const oldest of quick) {
      if (now - oldest.startedAt < slowMillis) return
      quick.delete(oldest)
      slowQueues.add(oldest.delivery)
    }
  }

  return {
    start: (delivery, slot, now) => {
      const started = { delivery, startedAt: now }
      running.add(started)
      if (slot === "slow") slow.add(started)
      else quick.add(started)
      return started
    },
    end: (ended, now) => {
      running.delete(ended)
      quick.delete(ended)
      slow.delete(ended)
      if (now - ended.startedAt < slowMillis) slowQueues.remove(ended.delivery)
      else slowQueues.add(ended.delivery)
    },
    free: (slot, now) => {
      age(now)
      const free = slot === "slow" ? slowMax - slow.size : concurrency - quick.size
      const most = slot === "answering" ? runningMax : runningMax - reserved
      return Math.max(0, Math.min(free, most - running.size))
    },
    millisToSlow: (now) => {
      const [oldest] = quick
      return oldest === undefined ? 0 : Math.max(0, oldest.startedAt + slowMillis - now)
    },
    slowQueues: slowQueues.list,
    count: () => running.size,
    countQuick: () => quick.size
  }
}
