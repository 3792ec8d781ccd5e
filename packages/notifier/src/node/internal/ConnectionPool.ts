/**
 * Which kept connections may a request use?
 *
 * Those of its own destination and no others, one request on each at a time. Where there are enough, a
 * request waits as long as some become free, then opens another: answers that never come hold up nobody.
 * Bounded: the destination unused for longest leaves first; what carries a request is closed after it.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Connection from "./Connection.js"

/** A connection in the hands of one request. */
export interface Lease {
  readonly connection: Connection.Connection
  /** Whether it has carried a request before. */
  readonly isReused: boolean
}

/** Told the connection that a request may use. */
export type Use = (lent: Lease) => void

/** Lends connections. */
export interface ConnectionPool {
  /**
   * Lends a connection to the destination that carries nothing, a kept one if there is one, at once or
   * after waiting for one, up to `patienceMs`. Calling the result ends the waiting.
   */
  readonly take: (destination: Connection.Destination, patienceMs: number, use: Use) => () => void
  /** A connection to the destination that nobody used before. */
  readonly takeFresh: (destination: Connection.Destination) => Lease
  /** Ends the use of what `take` lent; one that `isUsable` is kept, every other one closed. */
  readonly giveBack: (lent: Lease, isUsable: boolean) => void
}

/** How much is kept, and how connections are made. */
export interface Settings extends Connection.Settings {
  /** Destinations whose connections are kept. */
  readonly destinationsMax: number
  /** Connections to one destination that are opened without waiting, and that are kept. */
  readonly socketsMax: number
}

/** When no connection has become free for so long, nobody waits any more. */
const STANDSTILL_MILLIS = 1_000
/** How often those who wait are looked at. */
const LOOK_MILLIS = 250

/** A request that waits for a connection. */
interface Waiter {
  readonly until: number
  readonly proceed: (freed: Connection.Connection | undefined) => void
}

/** The connections of one destination. */
interface Line extends Connection.Resumption {
  /** The one used last is at the end, and is lent first. */
  readonly idle: Array<Connection.Connection>
  /** Those who wait for one, longest first. */
  readonly waiting: Set<Waiter>
  inUse: number
  /** When the last one became free. */
  freedAt: number
  looking: NodeJS.Timeout | undefined
  isKept: boolean
}

const newLine = (): Line => ({
  idle: [],
  waiting: new Set(),
  inUse: 0,
  freedAt: 0,
  looking: undefined,
  isKept: true,
  session: undefined
})

// INVARIANT: no host name, address or port holds a line feed, so two keys never read the same.
const identify = ({ address, host, port, tenant }: Connection.Destination): string =>
  `${address}\n${port}\n${host}\n${tenant}`

const nothingToCancel = () => {}

const closeAll = (line: Line) => {
  line.isKept = false
  for (const connection of line.idle.splice(0)) connection.close()
}

/** Lets those go on who have waited long enough, or who wait for nothing. */
const look = (line: Line, most: number) => {
  const now = performance.now()
  const isStill = now - line.freedAt >= STANDSTILL_MILLIS
  let left = most
  for (const waiter of line.waiting) {
    if (left === 0) break
    if (!isStill && waiter.until > now) continue
    left -= 1
    line.waiting.delete(waiter)
    waiter.proceed(undefined)
  }
  line.looking = line.waiting.size === 0 ? undefined : setTimeout(look, LOOK_MILLIS, line, most)
}

/** Puts a request in the queue; the result takes it out again. */
const enqueue = (line: Line, waiter: Waiter, most: number) => {
  line.waiting.add(waiter)
  line.looking ??= setTimeout(look, LOOK_MILLIS, line, most)
  return () => {
    line.waiting.delete(waiter)
  }
}

const makeLines = (destinationsMax: number) => {
  // INVARIANT: ordered by last use.
  const lines = new Map<string, Line>()

  const trim = () => {
    for (const [id, line] of lines) {
      if (lines.size <= destinationsMax) return
      lines.delete(id)
      closeAll(line)
    }
  }

  return {
    lineOf: (id: string): Line => {
      const line = lines.get(id) ?? newLine()
      lines.delete(id)
      lines.set(id, line)
      trim()
      return line
    },
    close: () => {
      for (const line of lines.values()) closeAll(line)
      lines.clear()
    }
  }
}

const makePool = (settings: Settings) => {
  const { close: closeLines, lineOf } = makeLines(settings.destinationsMax)
  const homes = new WeakMap<Connection.Connection, Line>()
  const lent = new Set<Connection.Connection>()

  const open = (destination: Connection.Destination, line: Line): Connection.Connection => {
    const connection = Connection.make(destination, settings, line)
    homes.set(connection, line)
    // A connection that ends while nobody uses it is forgotten.
    connection.client.on("disconnect", () => {
      const place = line.idle.indexOf(connection)
      if (place < 0) return
      line.idle.splice(place, 1)
      connection.close()
    })
    return connection
  }

  const lend = (
    destination: Connection.Destination,
    line: Line,
    kept: Connection.Connection | undefined
  ): Lease => {
    const connection = kept ?? open(destination, line)
    lent.add(connection)
    line.inUse += 1
    return { connection, isReused: kept !== undefined }
  }

  const take: ConnectionPool["take"] = (destination, patienceMs, use) => {
    const line = lineOf(identify(destination))
    const kept = line.idle.pop()
    if (kept !== undefined || line.inUse < settings.socketsMax) {
      use(lend(destination, line, kept))
      return nothingToCancel
    }
    const proceed: Waiter["proceed"] = (freed) => use(lend(destination, line, freed))
    return enqueue(line, { until: performance.now() + patienceMs, proceed }, settings.socketsMax)
  }

  const keep = (line: Line, connection: Connection.Connection) => {
    if (line.isKept && line.idle.length < settings.socketsMax) line.idle.push(connection)
    else connection.close()
  }

  const giveBack: ConnectionPool["giveBack"] = ({ connection }, isUsable) => {
    const line = homes.get(connection)
    lent.delete(connection)
    if (!isUsable || line === undefined) connection.close()
    if (line === undefined) return
    line.inUse -= 1
    line.freedAt = performance.now()
    const [next] = line.waiting
    if (next !== undefined && line.inUse < settings.socketsMax) {
      line.waiting.delete(next)
      next.proceed(isUsable ? connection : undefined)
    } else if (isUsable) keep(line, connection)
  }

  const close = () => {
    closeLines()
    for (const connection of lent) connection.close()
  }

  const takeFresh = (destination: Connection.Destination) =>
    lend(destination, lineOf(identify(destination)), undefined)

  return { take, takeFresh, giveBack, close }
}

/** Opens a pool that is closed with the scope, with whatever its connections carry. */
export const make = (settings: Settings): Effect.Effect<ConnectionPool, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => makePool(settings)),
    ({ close }) => Effect.sync(close)
  )
