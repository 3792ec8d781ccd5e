/**
 * Turns signals into a graceful stop, and failures into an exit code.
 *
 * SIGTERM and SIGINT interrupt the program, which then has twenty seconds; a second signal two or more seconds later,
 * or the end of the time, exits with 1. A failure prints one message and exits with 1, or with the code that it names.
 * An error that the program does not know does the same; its trace is printed at the log level `debug`.
 */
import { StoreError } from "@attestry/core/StoreError"
import * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"

/** The time limit of a graceful stop (P-DRAIN). */
const STOP_MS = 20_000

/**
 * Signals within this time after the first are ignored: a terminal and a package runner each signal the process
 * for one Ctrl-C, and so does a supervisor that signals a process group.
 */
const SAME_SIGNAL_MS = 2_000

/** Writes to standard output. */
export const show = (text: string): void => {
  process.stdout.write(text)
}

/** The innermost cause of an error: that of the database or of the connection. */
const rootOf = (error: unknown): unknown =>
  Predicate.hasProperty(error, "cause") && Predicate.isRecord(error.cause)
    ? rootOf(error.cause)
    : error

/** WHY the code: a connection attempt to several addresses fails without a message. */
const textOf = (error: unknown): string => {
  const { message, code } = Predicate.isRecord(error) ? error : {}
  return [message, code].filter(Predicate.isString).find((text) => text !== "") ?? ""
}

const STORE_ADVICE = "check that the database runs and can be reached, then start again"

/** A failure's message, for a store error with its cause and the next step. */
const messageOf = (failure: { readonly message: string }): string => {
  if (!(failure instanceof StoreError)) return failure.message
  const why = textOf(rootOf(failure))
  return [failure.message, ...(why === "" ? [] : [why]), STORE_ADVICE].join(": ")
}

const isDebugging = (): boolean =>
  /^(?:debug|trace|all)$/i.test(process.env.ATTESTRY_LOG_LEVEL ?? "")

/** The message of an error that the program does not know. */
const unknown = (error: unknown, trace: () => string): string => {
  const why = textOf(rootOf(error)) || String(error)
  return isDebugging()
    ? trace()
    : `an unexpected error ended the program: ${why}: start it again; if it ends again, start it with ` +
        "ATTESTRY_LOG_LEVEL=debug and report the trace"
}

/** The message of a failure or of a defect. */
const explain = (cause: Cause.Cause<{ readonly message: string }>): string =>
  Option.match(Cause.failureOption(cause), {
    onNone: () => unknown(Cause.squash(cause), () => Cause.pretty(cause)),
    onSome: messageOf
  })

/** A failure that ends the process with a code of its own. */
export class EndedWith extends Data.TaggedError("EndedWith")<{
  readonly exitCode: number
  readonly failure: { readonly message: string }
}> {
  override get message(): string {
    return messageOf(this.failure)
  }
}

const exitCodeOf = (cause: Cause.Cause<unknown>): number =>
  Option.match(Cause.failureOption(cause), {
    onNone: () => 1,
    onSome: (failure) => (failure instanceof EndedWith ? failure.exitCode : 1)
  })

const end = (exit: Exit.Exit<unknown, { readonly message: string }>): void => {
  if (Exit.isSuccess(exit) || Cause.isInterruptedOnly(exit.cause)) process.exit(0)
  process.stderr.write(`attestry-server: ${explain(exit.cause)}\n`)
  process.exit(exitCodeOf(exit.cause))
}

/** WHY: an error that no promise and no listener takes would end the process with the runtime's own trace. */
const endUncaught = (error: unknown): void => {
  const trace = () => (error instanceof Error ? (error.stack ?? error.message) : String(error))
  process.stderr.write(`attestry-server: ${unknown(error, trace)}\n`)
  process.exit(1)
}

/** Runs the program until it ends or gets a signal. */
export const run = (program: Effect.Effect<unknown, { readonly message: string }>): void => {
  process.on("uncaughtException", endUncaught)
  process.on("unhandledRejection", endUncaught)
  const fiber = Effect.runFork(program)
  fiber.addObserver(end)
  let signalledAt: number | undefined
  const stop = () => {
    const now = performance.now()
    if (signalledAt !== undefined) {
      if (now - signalledAt >= SAME_SIGNAL_MS) process.exit(1)
      return
    }
    signalledAt = now
    setTimeout(() => process.exit(1), STOP_MS).unref()
    Effect.runFork(Fiber.interrupt(fiber))
  }
  process.on("SIGTERM", stop)
  process.on("SIGINT", stop)
}
