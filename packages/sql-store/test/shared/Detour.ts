/** A proxy in front of a server that can refuse, be silent or slow, and work again. */
import * as Net from "node:net"
import { Effect, Redacted, type Scope } from "effect"

/** A proxy in front of a server. */
export interface Detour {
  /** The address of the proxy. */
  readonly url: Redacted.Redacted<string>
  /** Breaks every connection and refuses new ones. */
  readonly cut: Effect.Effect<void>
  /** Breaks every connection as a reset does. */
  readonly reset: Effect.Effect<void>
  /** Accepts connections, and passes nothing on. */
  readonly silence: Effect.Effect<void>
  /** Leaves existing connections open and passes nothing on: they stay half-open. */
  readonly freeze: Effect.Effect<void>
  /** Passes nothing on for new connections, and leaves existing ones as they are. */
  readonly hush: Effect.Effect<void>
  /** Lets new connections, or as many of them as given, reach the server this many milliseconds late. */
  readonly late: (millis: number, connections?: number) => Effect.Effect<void>
  /** Passes everything on this many milliseconds late. */
  readonly delay: (millis: number) => Effect.Effect<void>
  /** Breaks the connection of the next transaction that commits, in place of the answer to its COMMIT. */
  readonly loseCommit: Effect.Effect<void>
  /** Accepts connections again. */
  readonly mend: Effect.Effect<void>
  /** Breaks every connection, and leads new ones to another server. */
  readonly turn: (to: Redacted.Redacted<string>) => Effect.Effect<void>
}

const SOCKET = /^(postgres(?:ql)?:\/\/[^@]*@)([^/]*)\/([^?]*)(?:\?(.*))?$/

/** Where a connection string leads: a socket in a folder, or a host with a port. */
const parse = (url: string) => {
  const [, start = "", host = "", database = "", query = ""] = SOCKET.exec(url) ?? []
  const options = new URLSearchParams(query)
  const folder = options.get("host")
  const port = options.get("port") ?? host.split(":")[1] ?? "5432"
  const target: Net.NetConnectOpts = folder?.startsWith("/")
    ? { path: `${folder}/.s.PGSQL.${port}` }
    : { host: folder ?? host.split(":")[0] ?? "localhost", port: Number(port) }
  return { start, database, target }
}

/** The answer of PostgreSQL to a COMMIT. */
const COMMITTED = "COMMIT\0"

const listen = (server: Net.Server, port: number) =>
  Effect.async<number>((resume) => {
    server.listen(port, "127.0.0.1", () => {
      const address = server.address()
      resume(Effect.succeed(typeof address === "object" ? (address?.port ?? 0) : 0))
    })
  })

/** A proxy that runs as long as the scope. */
export const make = (to: Redacted.Redacted<string>): Effect.Effect<Detour, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { start, database, target } = parse(Redacted.value(to))
    const sockets = new Set<Net.Socket>()
    const accepted = new Set<Net.Socket>()
    const state = {
      silent: false,
      losing: false,
      delay: 0,
      late: { millis: 0, left: 0 },
      frozen: new WeakSet<Net.Socket>(),
      target
    }
    const keep = (socket: Net.Socket) => {
      sockets.add(socket)
      socket.on("error", () => socket.destroy())
      socket.on("close", () => sockets.delete(socket))
    }
    const pass = (from: Net.Socket, to: Net.Socket) =>
      from.on("data", (chunk: Buffer) => {
        if (state.losing && chunk.includes(COMMITTED)) {
          state.losing = false
          from.destroy()
          return
        }
        const send = () => {
          if (!state.frozen.has(from) && to.writable) to.write(chunk)
        }
        if (state.delay === 0) send()
        else setTimeout(send, state.delay)
      })
    const server = Net.createServer((socket) => {
      keep(socket)
      accepted.add(socket)
      socket.on("close", () => accepted.delete(socket))
      if (state.silent) return
      const open = () => {
        if (socket.destroyed) return
        const onward = Net.connect(state.target)
        keep(onward)
        socket.on("close", () => onward.destroy())
        onward.on("close", () => socket.destroy())
        pass(socket, onward)
        pass(onward, socket)
      }
      state.late.left -= 1
      if (state.late.left < 0) open()
      else setTimeout(open, state.late.millis)
    })
    const port = yield* listen(server, 0)
    const breakAll = Effect.sync(() => {
      for (const socket of sockets) socket.destroy()
    })
    const cut = Effect.zipRight(
      breakAll,
      Effect.async<void>((resume) => {
        server.close(() => resume(Effect.void))
      })
    )
    yield* Effect.addFinalizer(() => cut)
    return {
      url: Redacted.make(`${start}127.0.0.1:${port}/${database}`),
      cut,
      reset: Effect.sync(() => {
        for (const socket of accepted) socket.resetAndDestroy()
      }),
      freeze: Effect.sync(() => {
        for (const socket of sockets) state.frozen.add(socket)
      }),
      hush: Effect.sync(() => {
        state.silent = true
      }),
      late: (millis, connections = Number.POSITIVE_INFINITY) =>
        Effect.sync(() => {
          state.late = { millis, left: connections }
        }),
      delay: (millis) =>
        Effect.sync(() => {
          state.delay = millis
        }),
      loseCommit: Effect.sync(() => {
        state.losing = true
      }),
      silence: Effect.zipRight(
        Effect.sync(() => {
          state.silent = true
        }),
        breakAll
      ),
      turn: (other) =>
        Effect.suspend(() => {
          state.target = parse(Redacted.value(other)).target
          return breakAll
        }),
      mend: Effect.suspend(() => {
        state.silent = false
        return server.listening ? breakAll : Effect.asVoid(listen(server, port))
      })
    }
  })
