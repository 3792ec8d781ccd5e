/**
 * From signals to a clean end, and from failures to an exit code.
 *
 * SIGTERM and SIGINT stop the program, which then has twenty seconds; a signal that is repeated two seconds later
 * or more, or running out of time, ends it at once with 1. A failure prints one message for people and exits with 1.
 */
import { StoreError } from "@attestry/core/StoreError"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"

/** The whole program has this long to end after it was asked to (P-DRAIN). */
const STOP_MS = 20_000

/**
 * Signals within this time after the first are the same request (B-175): a terminal and a package runner each
 * signal the process when its user presses Ctrl-C once, and so does a supervisor that signals a process group.
 */
const SAME_SIGNAL_MS = 2_000

/** Writes for people. */
export const show = (text: string): void => {
  process.stdout.write(text)
}

/** What was at the bottom of an error: the words of the database, or of the way to it. */
const rootOf = (error: unknown): unknown =>
  Predicate.hasProperty(error, "cause") && Predicate.isRecord(error.cause)
    ? rootOf(error.cause)
    : error

/** WHY the code: an attempt at several addresses fails without a message. */
const wordsOf = (error: unknown): string => {
  const { message, code } = Predicate.isRecord(error) ? error : {}
  return [message, code].filter(Predicate.isString).find((text) => text !== "") ?? ""
}

/** A failure's own message; where the store could not answer, also why. */
const words = (failure: { readonly message: string }): string => {
  const root = rootOf(failure)
  const why = failure instanceof StoreError && root !== failure ? wordsOf(root) : ""
  return why === "" ? failure.message : `${failure.message}: ${why}`
}

/** What a failure says to people: its own words, or its trace where it is a bug. */
const explain = (cause: Cause.Cause<{ readonly message: string }>): string =>
  Option.match(Cause.failureOption(cause), { onNone: () => Cause.pretty(cause), onSome: words })

const end = (exit: Exit.Exit<unknown, { readonly message: string }>): void => {
  if (Exit.isSuccess(exit) || Cause.isInterruptedOnly(exit.cause)) process.exit(0)
  process.stderr.write(`attestry-server: ${explain(exit.cause)}\n`)
  process.exit(1)
}

/** Runs the program until it ends or is asked to. */
export const run = (program: Effect.Effect<unknown, { readonly message: string }>): void => {
  const fiber = Effect.runFork(program)
  fiber.addObserver(end)
  let askedAt: number | undefined
  const stop = () => {
    const now = performance.now()
    if (askedAt !== undefined) {
      if (now - askedAt >= SAME_SIGNAL_MS) process.exit(1)
      return
    }
    askedAt = now
    setTimeout(() => process.exit(1), STOP_MS).unref()
    Effect.runFork(Fiber.interrupt(fiber))
  }
  process.on("SIGTERM", stop)
  process.on("SIGINT", stop)
}
