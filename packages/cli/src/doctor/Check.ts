/** The vocabulary of `attestry doctor`: a check, its result, and a hint. */
import { CommandFailure } from "../shared/CommandFailure.js"
import type { ExitWord } from "../shared/ExitCode.js"

/** The result of a check. */
export interface Check {
  readonly name: string
  readonly state: "ok" | "warn" | "fail" | "skip"
  readonly text: string
  /** How to solve the problem. */
  readonly todo: string | null
  /** The exit code if this is the first check that fails. */
  readonly word: ExitWord | null
}

/** A check that passed. */
export const ok = (name: string, text: string): Check => ({
  name,
  state: "ok",
  text,
  todo: null,
  word: null
})

/** A check with a warning. */
export const warn = (name: string, text: string, todo: string): Check => ({
  name,
  state: "warn",
  text,
  todo,
  word: null
})

/** A check that could not run. */
export const skip = (name: string, text: string): Check => ({
  name,
  state: "skip",
  text,
  todo: null,
  word: null
})

/** Converts the failure of a command to a failed check; rethrows other errors. */
export const failed = (name: string, thrown: unknown): Check => {
  if (!(thrown instanceof CommandFailure)) throw thrown
  return {
    name,
    state: "fail",
    text: thrown.message,
    todo: thrown.details.hint ?? null,
    word: thrown.word
  }
}
