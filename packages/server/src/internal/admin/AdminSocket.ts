/**
 * Administration commands over a Unix socket: one line of JSON in, one line of JSON out.
 *
 * The socket gives full access, so it has mode 0600 from the moment it exists.
 */
import { unlink } from "node:fs/promises"
import * as Net from "node:net"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { AdminCommand } from "./AdminCommand.js"

/** The reply to a command: its result, or its error. */
export const AdminReply = Schema.Union(
  Schema.Struct({ ok: Schema.Literal(true), value: Schema.Unknown }),
  Schema.Struct({ ok: Schema.Literal(false), error: Schema.String, message: Schema.String })
)
/** The reply to a command. */
export type AdminReply = typeof AdminReply.Type

/** Listening on the socket failed, or a connection broke. */
export class AdminSocketFailed extends Schema.TaggedError<AdminSocketFailed>()(
  "AdminSocketFailed",
  { path: Schema.String, reason: Schema.String }
) {
  override get message(): string {
    return `the administration socket \`${this.path}\` failed: ${this.reason}`
  }
}

/** The longest line of a command. */
const LINE_BYTES_MAX = 65_536

const command = Schema.parseJson(AdminCommand)
const reply = Schema.parseJson(AdminReply)

const failed = (path: string) => (cause: unknown) =>
  new AdminSocketFailed({
    path,
    reason: cause instanceof Error ? cause.message : String(cause)
  })

/** WHY events: leaving a socket's iterator early destroys the socket, and no reply can be written. */
const readLine = (socket: Net.Socket, bytesMax: number): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ""
    socket.setEncoding("utf8")
    socket.on("data", (chunk: string) => {
      text += chunk
      const end = text.indexOf("\n")
      if (end >= 0) resolve(text.slice(0, end))
      else if (text.length > bytesMax) reject(new Error("the line is too long"))
    })
    socket.once("error", reject)
    socket.once("close", () => reject(new Error("it was closed before an answer came")))
  })

const NOT_LISTENING: ReadonlyArray<unknown> = ["ENOENT", "ECONNREFUSED", "ENOTSOCK"]

const connect = (path: string): Promise<Net.Socket | undefined> =>
  new Promise((resolve, reject) => {
    const socket = Net.createConnection(path)
    socket.once("connect", () => resolve(socket))
    socket.once("error", (error: NodeJS.ErrnoException) =>
      NOT_LISTENING.includes(error.code) ? resolve(undefined) : reject(error)
    )
  })

/** Sends a command to the server that listens; none when no server does. */
export const request = (
  path: string,
  sent: AdminCommand
): Effect.Effect<Option.Option<AdminReply>, AdminSocketFailed> =>
  Effect.gen(function* () {
    const line = yield* Schema.encode(command)(sent)
    const socket = yield* Effect.tryPromise(() => connect(path))
    if (socket === undefined) return Option.none()
    const text = yield* Effect.tryPromise(() => {
      socket.write(`${line}\n`)
      return readLine(socket, Number.POSITIVE_INFINITY)
    }).pipe(Effect.ensuring(Effect.sync(() => socket.destroy())))
    return Option.some(yield* Schema.decode(reply)(text))
  }).pipe(Effect.mapError((error) => failed(path)("error" in error ? error.error : error)))

const listen = (server: Net.Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject)
    const before = process.umask(0o177)
    // WHY the mask: this call creates the file, which must never be accessible to others.
    server.listen(path, () => resolve())
    process.umask(before)
  })

/** Removes the socket of a killed server; fails when a server listens. */
const clear = async (path: string): Promise<void> => {
  const socket = await connect(path)
  socket?.destroy()
  if (socket !== undefined) throw new Error("another server listens on it")
  await unlink(path).catch(() => undefined)
}

/** Serves commands until the scope closes. */
export const serve = <R>(
  path: string,
  handle: (received: AdminCommand) => Effect.Effect<AdminReply, never, R>
): Effect.Effect<void, AdminSocketFailed, R | Scope.Scope> =>
  Effect.gen(function* () {
    const run = Runtime.runPromise(yield* Effect.runtime<R>())
    const respond = (socket: Net.Socket) =>
      Effect.gen(function* () {
        const line = yield* Effect.tryPromise(() => readLine(socket, LINE_BYTES_MAX))
        const replied = yield* handle(yield* Schema.decode(command)(line))
        const text = yield* Schema.encode(reply)(replied)
        yield* Effect.sync(() => socket.end(`${text}\n`))
      }).pipe(
        // WHY: a client that disconnects or sends no command affects only its own connection.
        Effect.catchAllCause(() => Effect.sync(() => socket.destroy()))
      )
    const server = Net.createServer((socket) => {
      socket.on("error", () => socket.destroy())
      void run(respond(socket))
    })
    yield* Effect.acquireRelease(
      Effect.tryPromise({
        try: async () => {
          await clear(path)
          await listen(server, path)
        },
        catch: failed(path)
      }),
      () => Effect.async<void>((resume) => void server.close(() => resume(Effect.void)))
    )
  })
