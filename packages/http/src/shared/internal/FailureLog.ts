/**
 * Logs failures with their causes: the first of a kind in full, then their number per interval, so that a lasting
 * failure neither floods the server log nor disappears from it. An expected refusal is a warning without a cause.
 */
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"

/** A failure to log. */
export interface Failure {
  readonly message: string
  readonly cause: unknown
  /** Whether the service works as designed, and the same request succeeds later. */
  readonly isExpected: boolean
  readonly annotations: { readonly [name: string]: unknown }
}

type Log = typeof Effect.logError

/** How often the number of failures of one kind is logged. */
const INTERVAL = Duration.seconds(5)

/** The number of kinds that are counted separately; all others count as one kind. */
const KINDS_MAX = 100

/** The root cause of an error, such as the error of the database or of the operating system. */
const rootOf = (error: unknown): unknown =>
  Predicate.hasProperty(error, "cause") && error.cause !== undefined && error.cause !== null
    ? rootOf(error.cause)
    : error

const kindOf = (error: unknown): string => {
  const root = rootOf(error)
  if (!Predicate.isRecord(root)) return String(root)
  return `${String(root.code ?? "")} ${String(root.message ?? "")}`.trim()
}

/** Makes a function that logs failures and counts repeated ones. */
export const make = (): ((failure: Failure) => Effect.Effect<void>) => {
  const repeated = new Map<string, number>()

  const count = (message: string, kind: string, level: Log): Effect.Effect<void> =>
    Effect.suspend(() => {
      const times = repeated.get(kind) ?? 0
      if (times === 0) {
        repeated.delete(kind)
        return Effect.void
      }
      repeated.set(kind, 0)
      return level(`${message} again: ${kind}`).pipe(
        Effect.annotateLogs({ repeated: times }),
        Effect.zipRight(Effect.delay(count(message, kind, level), INTERVAL))
      )
    })

  return ({ message, cause, isExpected, annotations }) =>
    Effect.suspend(() => {
      const own = `${message} ${kindOf(cause)}`
      const kind = repeated.has(own) || repeated.size < KINDS_MAX ? own : "other failures"
      const times = repeated.get(kind)
      repeated.set(kind, times === undefined ? 0 : times + 1)
      if (times !== undefined) return Effect.void
      const level = isExpected ? Effect.logWarning : Effect.logError
      const causes = isExpected ? [] : [Cause.fail(cause)]
      return level(`${message}: ${kindOf(cause)}`, ...causes).pipe(
        Effect.annotateLogs(annotations),
        Effect.zipRight(Effect.forkDaemon(Effect.delay(count(message, kind, level), INTERVAL))),
        Effect.asVoid
      )
    })
}
