/**
 * How many attempts may begin now, and of which queues?
 *
 * Attempts that answer soon never wait for those that hang. One is quick until it has lasted a second; then
 * it takes no place of quick ones, and its queue is suspect: what waits there goes out in a lane of its own,
 * one of a queue at a time and few in all, until it answers soon again. The last quarter of all places is for
 * queues that are known to answer. Pure bookkeeping: who asks says what time it is. DECISION B-97
 */
import type { ClaimedDelivery, QueueKey } from "@attestry/core/Delivery"

/** An attempt under way. */
export interface Running {
  readonly delivery: ClaimedDelivery
  readonly startedAt: number
}

/** In which lane an attempt begins; `answering` is the quick lane, for queues that are known to answer. */
export type Lane = "quick" | "answering" | "slow"

/** How many may be under way. */
export interface LaneOptions {
  /** Quick attempts. */
  readonly concurrency: number
  /** An attempt that has lasted this long is not quick. */
  readonly slowMillis: number
}

/** The lanes of one worker. */
export interface DeliveryScheduler {
  readonly start: (delivery: ClaimedDelivery, lane: Lane, now: number) => Running
  readonly end: (running: Running, now: number) => void
  /** How many more may begin in a lane. */
  readonly room: (lane: Lane, now: number) => number
  /** How long until the quick attempt that has lasted longest is not quick any more; none, no time. */
  readonly millisToAge: (now: number) => number
  /** Queues that go out in the slow lane. */
  readonly suspects: () => ReadonlyArray<QueueKey>
  /** How many are under way in all. */
  readonly count: () => number
  /** How many of them are quick. */
  readonly countQuick: () => number
}

/** Suspects beyond this are forgotten, those longest suspected first. */
export const SUSPECTS_MAX = 4_096

const keyOf = ({ org_id, queue }: QueueKey): string => `${org_id} ${queue}`

const makeSuspects = () => {
  const suspects = new Map<string, QueueKey>()
  return {
    add: ({ org_id, queue }: QueueKey) => {
      suspects.set(keyOf({ org_id, queue }), { org_id, queue })
      for (const oldest of suspects.keys()) {
        if (suspects.size <= SUSPECTS_MAX) return
        suspects.delete(oldest)
      }
    },
    clear: (queue: QueueKey) => {
      if (suspects.size > 0) suspects.delete(keyOf(queue))
    },
    list: (): ReadonlyArray<QueueKey> => [...suspects.values()]
  }
}

/** Lanes with nothing under way. */
export const make = ({ concurrency, slowMillis }: LaneOptions): DeliveryScheduler => {
  // INVARIANT: `quick` is ordered by when attempts began; it and `probes` are parts of `running`.
  const running = new Set<Running>()
  const quick = new Set<Running>()
  const probes = new Set<Running>()
  const suspects = makeSuspects()
  const probesMax = Math.max(1, Math.floor(concurrency / 4))
  const runningMax = concurrency * 2
  const reserved = Math.floor(runningMax / 4)

  const age = (now: number) => {
    for (const oldest of quick) {
      if (now - oldest.startedAt < slowMillis) return
      quick.delete(oldest)
      suspects.add(oldest.delivery)
    }
  }

  return {
    start: (delivery, lane, now) => {
      const begun = { delivery, startedAt: now }
      running.add(begun)
      if (lane === "slow") probes.add(begun)
      else quick.add(begun)
      return begun
    },
    end: (ended, now) => {
      running.delete(ended)
      quick.delete(ended)
      probes.delete(ended)
      if (now - ended.startedAt < slowMillis) suspects.clear(ended.delivery)
      else suspects.add(ended.delivery)
    },
    room: (lane, now) => {
      age(now)
      const free = lane === "slow" ? probesMax - probes.size : concurrency - quick.size
      const most = lane === "answering" ? runningMax : runningMax - reserved
      return Math.max(0, Math.min(free, most - running.size))
    },
    millisToAge: (now) => {
      const [oldest] = quick
      return oldest === undefined ? 0 : Math.max(0, oldest.startedAt + slowMillis - now)
    },
    suspects: suspects.list,
    count: () => running.size,
    countQuick: () => quick.size
  }
}
