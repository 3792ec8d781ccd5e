/**
 * The connections of one server, and how they end without a reset when the server stops.
 *
 * WHY not `server.close()`: it destroys connections that look idle although their next request may be on its way,
 * and the kernel resets connections that wait to be accepted when their listener closes.
 */
import type * as Http from "node:http"
import * as Net from "node:net"

/** How long connections are still accepted, and may then be idle, once the server is stopping. */
const GRACE_MS = 500

/** How long requests may be held back while the queue of connections to accept is emptied. */
const HOLD_MS_MAX = 1_000

/**
 * A turn of the event loop that took longer than this leaves too much time in which a connection may come
 * between the last look at the queue and the end of the listener.
 */
const QUIET_TURN_MS_MAX = 0.5

/** How often idle connections are looked for once the listener is closed. */
const SWEEP_MS = 50

interface Connection {
  /** Requests without a whole answer yet. */
  requests: number
  /** Bytes that had come when the last request was answered: more of them begin another one. */
  bytesRead: number
  /** Since when there is no request. */
  idleSince: number
  /** When this side was ended, if it was because of idleness. */
  endedAt: number | undefined
}

/** The connections of a server. */
export interface Connections {
  readonly isStopping: () => boolean
  /**
   * Accepts for half a second more, closes the listener at an instant without waiting connections, answers all
   * requests that came, and ends each connection once it is idle. What is left after `cutMs` is destroyed.
   */
  readonly stop: (cutMs: number, stopped: () => void) => void
}

/** Calls back at the end of a short turn of the event loop in which the count did not change. */
const afterQuietTurn = (count: () => number, then: () => void): void => {
  const began = performance.now()
  let last = { at: began, count: count() }
  const turn = () => {
    const now = { at: performance.now(), count: count() }
    const isQuiet = now.count === last.count && now.at - last.at < QUIET_TURN_MS_MAX
    if (isQuiet || now.at - began > HOLD_MS_MAX) return then()
    last = now
    // WHY: the loop accepts at most one connection a turn, and does so before it runs this.
    setImmediate(turn)
  }
  setImmediate(turn)
}

/** Ends this side of connections that have no request; the caller reads a clean end and closes its own. */
const endIdle = (open: ReadonlyMap<Net.Socket, Connection>): void => {
  const now = performance.now()
  for (const [socket, connection] of open) {
    const { requests, bytesRead, idleSince, endedAt } = connection
    if (endedAt !== undefined && now - endedAt > GRACE_MS) socket.destroy()
    const isIdle = requests === 0 && socket.bytesRead === bytesRead && now - idleSince > GRACE_MS
    if (!isIdle || socket.writableEnded) continue
    connection.endedAt = now
    socket.end()
  }
}

/** Serves the requests of a server, and knows its connections. */
export const serve = (server: Http.Server, handle: Http.RequestListener): Connections => {
  const open = new Map<Net.Socket, Connection>()
  let held: Array<() => void> | undefined
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
    // A request that crossed our end cannot be answered, so it is not carried out either.
    if (connection === undefined || connection.endedAt !== undefined) return
    connection.requests += 1
    response.once("close", () => {
      connection.requests -= 1
      connection.bytesRead = socket.bytesRead
      connection.idleSince = performance.now()
    })
    if (held === undefined) handle(request, response)
    else held.push(() => response.destroyed || handle(request, response))
  })

  const stop = (cutMs: number, stopped: () => void): void => {
    isStopping = true
    const closeListener = () => {
      const sweep = setInterval(() => setImmediate(endIdle, open), SWEEP_MS)
      const cut = setTimeout(() => server.closeAllConnections(), cutMs)
      Net.Server.prototype.close.call(server, () => {
        clearInterval(sweep)
        clearTimeout(cut)
        stopped()
      })
      const waiting = held ?? []
      held = undefined
      for (const begin of waiting) begin()
    }
    setTimeout(() => {
      // WHY: callers that get no answer open no further connections, so the queue becomes empty.
      held = []
      afterQuietTurn(() => accepted, closeListener)
    }, GRACE_MS)
  }

  return { isStopping: () => isStopping, stop }
}
