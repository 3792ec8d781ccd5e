/**
 * Administration commands over a local socket: one line of JSON in, one line of JSON out.
 *
 * Whoever can open the socket may do everything, so only its owner can: the file's mode says so from the
 * moment it exists.
 */
import { unlink } from "node:fs/promises"
import * as Net from "node:net"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { AdminCommand } from "./AdminCommand.js"

/** What comes back: the answer of a command, or why it failed. */
export const AdminAnswer = Schema.Union(
  Schema.Struct({ ok: Schema.Literal(true), value: Schema.Unknown }),
  Schema.Struct({ ok: Schema.Literal(false), error: Schema.String, message: Schema.String })
)
/** What comes back. */
export type AdminAnswer = typeof AdminAnswer.Type

/** The socket cannot be listened on, or broke off. */
export class AdminSocketFailed extends Schema.TaggedError<AdminSocketFailed>()(
  "AdminSocketFailed",
  { path: Schema.String, reason: Schema.String }
) {
  override get message(): string {
    return `the administration socket \`${this.path}\` failed: ${this.reason}`
  }
}

/** A command is one short line; anything longer is none. */
const LINE_BYTES_MAX = 65_536

const command = Schema.parseJson(AdminCommand)
const answer = Schema.parseJson(AdminAnswer)

const failed = (path: string) => (cause: unknown) =>
  new AdminSocketFailed({
    path,
    reason: cause instanceof Error ? cause.message : String(cause)
  })

/** WHY by events: leaving a socket's iterator early destroys it, and with it the way to answer. */
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

const NOBODY: ReadonlyArray<unknown> = ["ENOENT", "ECONNREFUSED", "ENOTSOCK"]

const connect = (path: string): Promise<Net.Socket | undefined> =>
  new Promise((resolve, reject) => {
    const socket = Net.createConnection(path)
    socket.once("connect", () => resolve(socket))
    socket.once("error", (error: NodeJS.ErrnoException) =>
      NOBODY.includes(error.code) ? resolve(undefined) : reject(error)
    )
  })

/** Asks the server that listens; none when nobody does. */
export const ask = (
  path: string,
  asked: AdminCommand
): Effect.Effect<Option.Option<AdminAnswer>, AdminSocketFailed> =>
  Effect.gen(function* () {
    const line = yield* Schema.encode(command)(asked)
    const socket = yield* Effect.tryPromise(() => connect(path))
    if (socket === undefined) return Option.none()
    const text = yield* Effect.tryPromise(() => {
      socket.write(`${line}\n`)
      return readLine(socket, Number.POSITIVE_INFINITY)
    }).pipe(Effect.ensuring(Effect.sync(() => socket.destroy())))
    return Option.some(yield* Schema.decode(answer)(text))
  }).pipe(Effect.mapError((error) => failed(path)("error" in error ? error.error : error)))

const listen = (server: Net.Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject)
    const before = process.umask(0o177)
    // WHY here: the file is made within this call, and must never be open to others.
    server.listen(path, () => resolve())
    process.umask(before)
  })

/** Takes the place of a socket that a killed server has left. */
const clear = async (path: string): Promise<void> => {
  const socket = await connect(path)
  socket?.destroy()
  if (socket !== undefined) throw new Error("another server listens on it")
  await unlink(path).catch(() => undefined)
}

/** Answers commands until the scope closes. */
export const serve = <R>(
  path: string,
  handle: (asked: AdminCommand) => Effect.Effect<AdminAnswer, never, R>
): Effect.Effect<void, AdminSocketFailed, R | Scope.Scope> =>
  Effect.gen(function* () {
    const run = Runtime.runPromise(yield* Effect.runtime<R>())
    const respond = (socket: Net.Socket) =>
      Effect.gen(function* () {
        const line = yield* Effect.tryPromise(() => readLine(socket, LINE_BYTES_MAX))
        const replied = yield* handle(yield* Schema.decode(command)(line))
        const text = yield* Schema.encode(answer)(replied)
        yield* Effect.sync(() => socket.end(`${text}\n`))
      }).pipe(
        // WHY: a caller that breaks off, or sends what is no command, is nobody else's trouble.
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
