/**
 * Who is named in a lock file, and does that process still run?
 *
 * A process of this system is looked up by its id and start time. One of another container or
 * machine cannot be looked up; it is alive while it touches the file.
 */
import { readFile, stat } from "node:fs/promises"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as ProcessIdentity from "./ProcessIdentity.js"
import { waitUntil } from "./RealTime.js"

/** The process that holds a lock; the nonce tells its locks apart. */
export const Holder = Schema.Struct({
  pid: Schema.Number,
  start: Schema.String,
  scope: Schema.String,
  nonce: Schema.String
})

/** A decoded holder. */
export type Holder = typeof Holder.Type

/** The file system refused a step of the lock. */
export class LockCallFailed extends Schema.TaggedError<LockCallFailed>()("LockCallFailed", {
  code: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `the lock file cannot be written: ${this.reason}: repair the file system`
  }
}

/** How often a holder touches its lock file. */
export const heartbeatMs = 1_000
const silentMsMax = 5 * heartbeatMs
const longSilentMs = 60 * heartbeatMs
const vanished = 0
const unreadable: Holder = { pid: 0, start: "", scope: "", nonce: "unreadable" }
const decode = Schema.decodeUnknownEither(Schema.parseJson(Holder))

/** Runs one file system call. */
export const call = <A>(run: () => Promise<A>): Effect.Effect<A, LockCallFailed> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) =>
      new LockCallFailed({
        code: cause instanceof Error && "code" in cause ? String(cause.code) : "",
        reason: String(cause)
      })
  })

/** Who is named in a lock file; `None` when there is no file. */
export const read = (path: string): Effect.Effect<Option.Option<Holder>, LockCallFailed> =>
  call(() => readFile(path, "utf8")).pipe(
    Effect.map((text) => Option.some(Either.getOrElse(decode(text), () => unreadable))),
    Effect.catchIf(
      ({ code }) => code === "ENOENT",
      () => Effect.succeedNone
    )
  )

const touchedAtMs = (path: string): Effect.Effect<number> =>
  call(() => stat(path)).pipe(
    Effect.map(({ mtimeMs }) => mtimeMs),
    Effect.orElseSucceed(() => vanished)
  )

const isTouched = (path: string): Effect.Effect<boolean> =>
  Effect.gen(function* () {
    const before = yield* touchedAtMs(path)
    if ((yield* Clock.currentTimeMillis) - before > longSilentMs) return false
    const hasMoved = Effect.map(touchedAtMs(path), (touched) => touched !== before)
    yield* waitUntil(hasMoved, { everyMs: heartbeatMs / 4, forMs: silentMsMax })
    const after = yield* touchedAtMs(path)
    return after !== before && after !== vanished
  })

/** Whether the file was cut off, which only a crash of the whole system can do to it. */
export const isUnreadable = ({ nonce }: Holder): boolean => nonce === unreadable.nonce

/** Whether the process that is named in a lock file still runs. */
export const isAlive = (path: string, holder: Holder, scope: string): Effect.Effect<boolean> => {
  if (isUnreadable(holder)) return Effect.succeed(false)
  return holder.scope === scope
    ? Effect.map(ProcessIdentity.startOf(holder.pid), Option.contains(holder.start))
    : isTouched(path)
}
