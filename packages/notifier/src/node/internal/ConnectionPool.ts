/**
 * Which kept connections may a request use?
 *
 * Those of its own destination and no others, one request on each at a time. Where there are enough
 * already, a request waits a little for one to become free and then opens another all the same: answers
 * that never come must not keep others of the same receiver waiting. The pool is bounded: the
 * destination unused for longest leaves first, but a connection that carries a request is only closed
 * after it.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Connection from "./Connection.js"

/** A connection in the hands of one request. */
export interface Lent {
  readonly connection: Connection.Connection
  /** Whether it has carried a request before. */
  readonly isReused: boolean
}

/** Told the connection that a request may use. */
export type Use = (lent: Lent) => void

/** Lends connections. */
export interface ConnectionPool {
  /**
   * Lends a connection to the destination that carries nothing, a kept one if there is one, at once or
   * within a second. Calling the result ends the waiting.
   */
  readonly take: (destination: Connection.Destination, use: Use) => () => void
  /** A connection to the destination that nobody used before. */
  readonly takeFresh: (destination: Connection.Destination) => Lent
  /** Ends the use of what `take` lent; one that `isUsable` is kept, every other one closed. */
  readonly giveBack: (lent: Lent, isUsable: boolean) => void
}

/** How much is kept, and how connections are made. */
export interface Settings extends Connection.Settings {
  /** Destinations whose connections are kept. */
  readonly destinationsMax: number
  /** Connections to one destination that are opened without waiting, and that are kept. */
  readonly socketsMax: number
}

/** How long a request waits for a connection in use to become free. */
const WAIT_MILLIS = 1_000

/** The connections of one destination. */
interface Line extends Connection.Resumption {
  /** The one used last is at the end, and is lent first. */
  readonly idle: Array<Connection.Connection>
  /** Those who wait for one, longest first. */
  readonly waiting: Set<(freed: Connection.Connection | undefined) => void>
  inUse: number
  isKept: boolean
}

const newLine = (): Line => ({
  idle: [],
  waiting: new Set(),
  inUse: 0,
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
  ): Lent => {
    const connection = kept ?? open(destination, line)
    lent.add(connection)
    line.inUse += 1
    return { connection, isReused: kept !== undefined }
  }

  const take: ConnectionPool["take"] = (destination, use) => {
    const line = lineOf(identify(destination))
    const kept = line.idle.pop()
    if (kept !== undefined || line.inUse < settings.socketsMax) {
      use(lend(destination, line, kept))
      return nothingToCancel
    }
    const cancel = () => {
      clearTimeout(timer)
      line.waiting.delete(proceed)
    }
    const proceed = (freed: Connection.Connection | undefined) => {
      cancel()
      use(lend(destination, line, freed))
    }
    const timer = setTimeout(proceed, WAIT_MILLIS, undefined)
    line.waiting.add(proceed)
    return cancel
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
    const [next] = line.waiting
    if (next !== undefined && line.inUse < settings.socketsMax) {
      next(isUsable ? connection : undefined)
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
