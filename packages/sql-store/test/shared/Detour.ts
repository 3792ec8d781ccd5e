/** A way to a server that can be cut, made silent and mended: what a client sees when it is away. */
import * as Net from "node:net"
import { Effect, Redacted, type Scope } from "effect"

/** A way to a server. */
export interface Detour {
  /** The address of the server, by this way. */
  readonly url: Redacted.Redacted<string>
  /** Breaks every connection and refuses new ones. */
  readonly cut: Effect.Effect<void>
  /** Accepts connections, and passes nothing on. */
  readonly silence: Effect.Effect<void>
  /** Accepts connections again. */
  readonly mend: Effect.Effect<void>
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

const listen = (server: Net.Server, port: number) =>
  Effect.async<number>((resume) => {
    server.listen(port, "127.0.0.1", () => {
      const address = server.address()
      resume(Effect.succeed(typeof address === "object" ? (address?.port ?? 0) : 0))
    })
  })

/** A way to a server that lasts as long as the scope. */
export const make = (to: Redacted.Redacted<string>): Effect.Effect<Detour, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { start, database, target } = parse(Redacted.value(to))
    const sockets = new Set<Net.Socket>()
    const state = { silent: false }
    const keep = (socket: Net.Socket) => {
      sockets.add(socket)
      socket.on("error", () => socket.destroy())
      socket.on("close", () => sockets.delete(socket))
    }
    const server = Net.createServer((socket) => {
      keep(socket)
      if (state.silent) return
      const onward = Net.connect(target)
      keep(onward)
      socket.on("close", () => onward.destroy())
      onward.on("close", () => socket.destroy())
      socket.pipe(onward).pipe(socket)
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
      silence: Effect.zipRight(
        Effect.sync(() => {
          state.silent = true
        }),
        breakAll
      ),
      mend: Effect.suspend(() => {
        state.silent = false
        return server.listening ? breakAll : Effect.asVoid(listen(server, port))
      })
    }
  })
