/**
 * A pool of connections per destination, with one request on each connection at a time.
 *
 * A request uses connections of its own destination alone. When `socketsMax` are in use, it waits while connections
 * become free, and opens another one when none did for a second, so that receivers that never respond block no
 * request. The number of destinations is bounded: the least recently used one is evicted, and its connections in
 * use are closed after their requests.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Connection from "./Connection.js"

/** A connection that one request uses. */
export interface Lease {
  readonly connection: Connection.Connection
  /** Whether an earlier request used it. */
  readonly isReused: boolean
}

/** Receives the connection that a request may use. */
export type Use = (lease: Lease) => void

/** Leases connections to requests. */
export interface ConnectionPool {
  /**
   * Leases an idle connection to the destination, or a new one, immediately or after waiting up to `waitMs`.
   * Calling the result ends the waiting.
   */
  readonly acquire: (destination: Connection.Destination, waitMs: number, use: Use) => () => void
  /** Leases a new connection to the destination, without waiting. */
  readonly acquireNew: (destination: Connection.Destination) => Lease
  /** Ends a lease; a connection that `isUsable` is kept, every other one is closed. */
  readonly release: (lease: Lease, isUsable: boolean) => void
}

/** The bounds of the pool, and how connections are made. */
export interface Settings extends Connection.Settings {
  /** Destinations whose connections are kept. */
  readonly destinationsMax: number
  /** Connections to one destination that are opened without waiting, and that are kept. */
  readonly socketsMax: number
}

/** When no connection became free for this long, waiting requests open new ones. */
const STALL_MILLIS = 1_000
/** How often waiting requests are checked. */
const CHECK_MILLIS = 250

/** A request that waits for a connection. */
interface Waiter {
  readonly until: number
  readonly proceed: (freed: Connection.Connection | undefined) => void
}

/** The connections of one destination. */
interface DestinationPool extends Connection.Resumption {
  /** The most recently used one is last, and is leased first. */
  readonly idle: Array<Connection.Connection>
  /** Requests that wait for a connection, oldest first. */
  readonly waiting: Set<Waiter>
  inUse: number
  /** When the last one became free. */
  freedAt: number
  checking: NodeJS.Timeout | undefined
  isKept: boolean
}

const emptyPool = (): DestinationPool => ({
  idle: [],
  waiting: new Set(),
  inUse: 0,
  freedAt: 0,
  checking: undefined,
  isKept: true,
  session: undefined
})

// INVARIANT: no host name, address or port holds a line feed, so different destinations have different keys.
const keyOf = ({ address, host, port, tenant }: Connection.Destination): string =>
  `${address}\n${port}\n${host}\n${tenant}`

const noop = () => {}

const closeIdle = (pool: DestinationPool) => {
  pool.isKept = false
  for (const connection of pool.idle.splice(0)) connection.close()
}

/** Lets up to `most` requests proceed whose wait is over, or all of them when no connection becomes free. */
const check = (pool: DestinationPool, most: number) => {
  const now = performance.now()
  const isStalled = now - pool.freedAt >= STALL_MILLIS
  let left = most
  for (const waiter of pool.waiting) {
    if (left === 0) break
    if (!isStalled && waiter.until > now) continue
    left -= 1
    pool.waiting.delete(waiter)
    waiter.proceed(undefined)
  }
  pool.checking = pool.waiting.size === 0 ? undefined : setTimeout(check, CHECK_MILLIS, pool, most)
}

/** Adds a waiting request; the result removes it. */
const enqueue = (pool: DestinationPool, waiter: Waiter, most: number) => {
  pool.waiting.add(waiter)
  pool.checking ??= setTimeout(check, CHECK_MILLIS, pool, most)
  return () => {
    pool.waiting.delete(waiter)
  }
}

const makePools = (destinationsMax: number) => {
  // INVARIANT: ordered by last use.
  const pools = new Map<string, DestinationPool>()

  const evict = () => {
    for (const [key, pool] of pools) {
      if (pools.size <= destinationsMax) return
      pools.delete(key)
      closeIdle(pool)
    }
  }

  return {
    poolOf: (destination: Connection.Destination): DestinationPool => {
      const key = keyOf(destination)
      const pool = pools.get(key) ?? emptyPool()
      pools.delete(key)
      pools.set(key, pool)
      evict()
      return pool
    },
    close: () => {
      for (const pool of pools.values()) closeIdle(pool)
      pools.clear()
    }
  }
}

const makePool = (settings: Settings) => {
  const { close: closePools, poolOf } = makePools(settings.destinationsMax)
  const owners = new WeakMap<Connection.Connection, DestinationPool>()
  const leased = new Set<Connection.Connection>()

  const open = (
    destination: Connection.Destination,
    pool: DestinationPool
  ): Connection.Connection => {
    const connection = Connection.make(destination, settings, pool)
    owners.set(connection, pool)
    connection.client.on("disconnect", () => {
      const index = pool.idle.indexOf(connection)
      if (index < 0) return
      pool.idle.splice(index, 1)
      connection.close()
    })
    return connection
  }

  const leaseOf = (
    destination: Connection.Destination,
    pool: DestinationPool,
    idle: Connection.Connection | undefined
  ): Lease => {
    const connection = idle ?? open(destination, pool)
    leased.add(connection)
    pool.inUse += 1
    return { connection, isReused: idle !== undefined }
  }

  const acquire: ConnectionPool["acquire"] = (destination, waitMs, use) => {
    const pool = poolOf(destination)
    const idle = pool.idle.pop()
    if (idle !== undefined || pool.inUse < settings.socketsMax) {
      use(leaseOf(destination, pool, idle))
      return noop
    }
    const proceed: Waiter["proceed"] = (freed) => use(leaseOf(destination, pool, freed))
    return enqueue(pool, { until: performance.now() + waitMs, proceed }, settings.socketsMax)
  }

  const keep = (pool: DestinationPool, connection: Connection.Connection) => {
    if (pool.isKept && pool.idle.length < settings.socketsMax) pool.idle.push(connection)
    else connection.close()
  }

  const release: ConnectionPool["release"] = ({ connection }, isUsable) => {
    const pool = owners.get(connection)
    leased.delete(connection)
    if (!isUsable || pool === undefined) connection.close()
    if (pool === undefined) return
    pool.inUse -= 1
    pool.freedAt = performance.now()
    const [next] = pool.waiting
    if (next !== undefined && pool.inUse < settings.socketsMax) {
      pool.waiting.delete(next)
      next.proceed(isUsable ? connection : undefined)
    } else if (isUsable) keep(pool, connection)
  }

  const close = () => {
    closePools()
    for (const connection of leased) connection.close()
  }

  const acquireNew = (destination: Connection.Destination) =>
    leaseOf(destination, poolOf(destination), undefined)

  return { acquire, acquireNew, release, close }
}

/** Opens a pool that is closed with the scope, also during requests. */
export const make = (settings: Settings): Effect.Effect<ConnectionPool, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => makePool(settings)),
    ({ close }) => Effect.sync(close)
  )
