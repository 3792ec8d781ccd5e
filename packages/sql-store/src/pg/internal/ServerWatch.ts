/**
 * Detects that a server, or the path to one of its connections, is silent (P-DB).
 *
 * A slow request makes the watch probe the server on another connection. Without an answer the server is away: all
 * waiting requests fail, and so do new ones until a probe succeeds. If no backend runs the request, its connection is
 * lost, and it fails. Otherwise the request goes on waiting.
 */

import * as LoopTimer from "./LoopTimer.js"

/** Which of some backends run a statement; undefined when the server has answered with an error. */
export type Probe = (backends: ReadonlyArray<number>) => Promise<ReadonlySet<number> | undefined>

/** A request that waits for the server. */
export interface Waiting {
  /** The backend that runs it; undefined while it waits for a connection. */
  readonly backend: number | undefined
  /** Fails the request. */
  readonly fail: (cause: Error) => void
}

/** Times, in milliseconds. */
export interface WatchTimes {
  /** After which a request is slow. */
  readonly slow: number
  /** Within which the server must answer. */
  readonly probe: number
  /** Between two probes of a server that is away. */
  readonly again: number
  /** In which an answer that was sent before may still arrive. */
  readonly grace: number
}

/** Together less than the two seconds of P-DB. */
export const TIMES: WatchTimes = { slow: 1_000, probe: 850, again: 250, grace: 100 }

/** Watches one server. */
export interface ServerWatch {
  /** Watches a request; the returned function ends that, and takes whether the server has answered. */
  readonly begin: (waiting: Waiting) => (isAnswer: boolean) => void
  /** Whether the server counts as away. */
  readonly isAway: () => boolean
  readonly close: () => void
}

/** The error of requests to a silent server. */
export const silent = (): Error => new Error("the database does not answer")

const within = <A>(work: Promise<A>, millis: number): Promise<A> => {
  let stop = () => {}
  const late = new Promise<never>((_, reject) => {
    stop = LoopTimer.after(millis, () => reject(silent()))
  })
  return Promise.race([work, late]).finally(() => stop())
}

interface Open extends Waiting {
  readonly since: number
}

/** Begins to watch. */
export const make = (probe: Probe, times: WatchTimes = TIMES): ServerWatch => {
  const open = new Set<Open>()
  let timer: NodeJS.Timeout | undefined
  let isAway = false
  let isClosed = false
  let quickAnswerAt = Number.NEGATIVE_INFINITY

  const end = (waiting: Open) => {
    if (open.delete(waiting)) waiting.fail(silent())
  }

  /** WHY also a turn of the event loop: a timer runs before bytes that have arrived are read. */
  const endLost = (lost: ReadonlyArray<Open>) => {
    if (lost.length > 0) setTimeout(() => setImmediate(() => lost.forEach(end)), times.grace)
  }

  const leave = async () => {
    isAway = true
    for (const waiting of [...open]) end(waiting)
    while (isAway && !isClosed) {
      await new Promise((resolve) => setTimeout(resolve, times.again).unref())
      isAway = await within(probe([]), times.probe).then(
        () => false,
        () => true
      )
    }
  }

  const ask = async (slow: ReadonlyArray<Open>) => {
    const began = performance.now()
    const backends = slow.flatMap(({ backend }) => backend ?? [])
    try {
      const working = await within(probe(backends), times.probe)
      if (working === undefined) return
      endLost(slow.filter(({ backend }) => backend !== undefined && !working.has(backend)))
    } catch {
      // WHY: a server that answers other requests is reachable, and too busy to open a connection in time.
      if (quickAnswerAt < began) await leave()
    }
  }

  const check = async () => {
    const now = performance.now()
    const slow = [...open].filter(({ since }) => now - since >= times.slow)
    if (slow.length > 0 && !isAway) await ask(slow)
    timer = undefined
    arm()
  }

  const arm = () => {
    if (timer !== undefined || isClosed) return
    const [oldest] = open
    if (oldest === undefined) return
    const left = oldest.since + times.slow - performance.now()
    // INVARIANT: a slow request is probed at intervals.
    timer = setTimeout(check, left > 0 ? left : times.slow)
    timer.unref()
  }

  return {
    begin: (waiting) => {
      const one: Open = { ...waiting, since: performance.now() }
      open.add(one)
      arm()
      return (isAnswer) => {
        const now = performance.now()
        if (open.delete(one) && isAnswer && now - one.since < times.slow) quickAnswerAt = now
      }
    },
    isAway: () => isAway,
    close: () => {
      isClosed = true
      clearTimeout(timer)
    }
  }
}
