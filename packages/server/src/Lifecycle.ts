/**
 * From signals to a clean end, and from failures to an exit code.
 *
 * SIGTERM and SIGINT stop the program, which then has twenty seconds; a second signal, or running out of
 * time, ends it at once and not cleanly. A failure prints one message for people and exits with 1.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"

/** The whole program has this long to end after it was asked to (P-DRAIN). */
const STOP_MS = 20_000

/** Writes for people. */
export const show = (text: string): void => {
  process.stdout.write(text)
}

/** What a failure says to people: its own message, or its trace where it is a bug. */
const explain = (cause: Cause.Cause<{ readonly message: string }>): string =>
  Option.match(Cause.failureOption(cause), {
    onNone: () => Cause.pretty(cause),
    onSome: ({ message }) => message
  })

const end = (exit: Exit.Exit<unknown, { readonly message: string }>): void => {
  if (Exit.isSuccess(exit) || Cause.isInterruptedOnly(exit.cause)) process.exit(0)
  process.stderr.write(`attestry-server: ${explain(exit.cause)}\n`)
  process.exit(1)
}

/** Runs the program until it ends or is asked to. */
export const run = (program: Effect.Effect<unknown, { readonly message: string }>): void => {
  const fiber = Effect.runFork(program)
  fiber.addObserver(end)
  let asked = false
  const stop = () => {
    if (asked) process.exit(1)
    asked = true
    setTimeout(() => process.exit(1), STOP_MS).unref()
    Effect.runFork(Fiber.interrupt(fiber))
  }
  process.on("SIGTERM", stop)
  process.on("SIGINT", stop)
}
