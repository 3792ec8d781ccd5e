/**
 * Tracks the connections of one server, and ends them without a reset when the server stops.
 *
 * WHY not `server.close()`: it destroys idle connections although their next request may be in transit, and the
 * kernel resets connections in the accept queue when the listener closes.
 */
import type * as Http from "node:http"
import * as Net from "node:net"

/** How long a stopping server accepts connections. */
const GRACE_MS = 500

/**
 * How long a connection may be idle before a stopping server ends it. WHY so long: on a busy machine a client sends its
 * next request seconds after it had the last response or the connection, and a request that meets the end is lost.
 */
const IDLE_MS_MAX = 2_500

/** How long requests are delayed at most while the accept queue is emptied. */
const HOLD_MS_MAX = 5_000

/**
 * How long no connection may have arrived before the listener closes. WHY: a client that had its response just before
 * requests were delayed connects once more, on a busy machine some milliseconds later.
 */
const QUIET_MS = 100

/**
 * In a longer turn of the event loop, a connection may arrive between the last look at the queue and the close of the
 * listener.
 */
const QUIET_TURN_MS_MAX = 0.5

/** How often idle connections are ended once the listener is closed. */
const SWEEP_MS = 50

interface Connection {
  /** Requests whose response is not complete. */
  requests: number
  /** Bytes that had arrived when the last response ended; more bytes begin another request. */
  bytesRead: number
  /** The time of the last response. */
  idleSince: number
  /** When this side was ended because of idleness. */
  endedAt: number | undefined
}

/** The connections of a server. */
export interface Connections {
  readonly isStopping: () => boolean
  /**
   * Accepts connections for half a second more, closes the listener while its accept queue is empty, serves all
   * requests that have arrived, and ends each connection once it is idle. Destroys the rest `cutMs` after the call.
   */
  readonly stop: (cutMs: number, stopped: () => void) => void
}

/** Calls back at the end of a short turn of the event loop, once the count has not changed for `QUIET_MS`. */
const whenQuiet = (count: () => number, then: () => void): void => {
  const began = performance.now()
  let last = { at: began, count: count(), changedAt: began }
  const turn = () => {
    const at = performance.now()
    const now = { at, count: count(), changedAt: count() === last.count ? last.changedAt : at }
    const isQuiet = at - now.changedAt > QUIET_MS && at - last.at < QUIET_TURN_MS_MAX
    // WHY the count: connections that arrive one after another are waiting when one was accepted in this turn.
    const isLate = at - began > HOLD_MS_MAX && now.count === last.count
    if (isQuiet || isLate) return then()
    last = now
    // WHY: the event loop accepts at most one connection per turn, before it runs this.
    setImmediate(turn)
  }
  setImmediate(turn)
}

/** Ends this side of connections without a request; the client then closes its own side. */
const endIdle = (open: ReadonlyMap<Net.Socket, Connection>): void => {
  const now = performance.now()
  for (const [socket, connection] of open) {
    const { requests, bytesRead, idleSince, endedAt } = connection
    if (endedAt !== undefined && now - endedAt > IDLE_MS_MAX) socket.destroy()
    const isIdle = requests === 0 && socket.bytesRead === bytesRead && now - idleSince > IDLE_MS_MAX
    if (!isIdle || socket.writableEnded) continue
    connection.endedAt = now
    socket.end()
  }
}

/** Serves the requests of a server and tracks its connections. */
export const serve = (server: Http.Server, handle: Http.RequestListener): Connections => {
  const open = new Map<Net.Socket, Connection>()
  let delayed: Array<() => void> | undefined
  let isStopping = false
  let accepted = 0

  server.on("connection", (socket: Net.Socket) => {
    accepted += 1
    open.set(socket, {
      requests: 0,
      bytesRead: 0,
      idleSince: performance.now(),
      endedAt: undefined
    })
    socket.once("close", () => open.delete(socket))
  })

  server.on("request", (request, response) => {
    const { socket } = request
    const connection = open.get(socket)
    // WHY: a request that arrives after this side was ended cannot get a response, so it is not handled.
    if (connection === undefined || connection.endedAt !== undefined) return
    connection.requests += 1
    response.once("close", () => {
      connection.requests -= 1
      connection.bytesRead = socket.bytesRead
      connection.idleSince = performance.now()
    })
    if (delayed === undefined) handle(request, response)
    else delayed.push(() => response.destroyed || handle(request, response))
  })

  const stop = (cutMs: number, stopped: () => void): void => {
    isStopping = true
    const began = performance.now()
    const closeListener = () => {
      const sweep = setInterval(() => setImmediate(endIdle, open), SWEEP_MS)
      const left = Math.max(0, cutMs - (performance.now() - began))
      const cut = setTimeout(() => server.closeAllConnections(), left)
      Net.Server.prototype.close.call(server, () => {
        clearInterval(sweep)
        clearTimeout(cut)
        stopped()
      })
      const requests = delayed ?? []
      delayed = undefined
      for (const begin of requests) begin()
    }
    setTimeout(() => {
      // WHY: clients that wait for a response open no further connections, so the queue becomes empty.
      delayed = []
      whenQuiet(() => accepted, closeListener)
    }, GRACE_MS)
  }

  return { isStopping: () => isStopping, stop }
}
