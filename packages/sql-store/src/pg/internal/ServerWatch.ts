/**
 * Notices that a server, or the way to one of its connections, has gone silent. P-DB, DECISION B-79
 *
 * What has waited for long is asked about apart. No answer: the server is away, and whatever waits fails, as
 * does everything new until it answers. Nobody works on it: it is lost, and fails. Else it is slow, and waits.
 */

/** What a server says about those that were asked about: who works; nothing when it would not say. */
export type Probe = (backends: ReadonlyArray<number>) => Promise<ReadonlySet<number> | undefined>

/** Something that waits for the server. */
export interface Waiting {
  /** The backend that works on it; unknown while a connection is waited for. */
  readonly backend: number | undefined
  /** Ends the waiting. */
  readonly fail: (cause: Error) => void
}

/** Times, in milliseconds. */
export interface WatchTimes {
  /** After which something is asked about. */
  readonly slow: number
  /** Within which the server must answer. */
  readonly probe: number
  /** Between two questions to a server that is away. */
  readonly again: number
  /** In which an answer that was sent before may still arrive. */
  readonly grace: number
}

/** Together less than the two seconds of P-DB. */
export const TIMES: WatchTimes = { slow: 1_000, probe: 850, again: 250, grace: 100 }

/** Watches one server. */
export interface ServerWatch {
  /** Begins to wait; the returned function says that it is over, and whether the server has answered. */
  readonly begin: (waiting: Waiting) => (isAnswer: boolean) => void
  /** Whether the server is taken to be away. */
  readonly isAway: () => boolean
  readonly close: () => void
}

/** What the failures of a silent server say. */
export const silent = (): Error => new Error("the database does not answer")

const within = <A>(work: Promise<A>, millis: number): Promise<A> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(silent()), millis)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
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

  /** WHY then the turn of the loop: a timer comes before bytes that have arrived. */
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
      // WHY: a server that answers others is there, and only too busy to open one more connection in time.
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
    // INVARIANT: what is slow is asked about once in a while, and not all the time.
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
