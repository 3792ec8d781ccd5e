/** The vocabulary of `attestry doctor`: one check, how it ended, and the way out. */
import { CommandFailure } from "../shared/CommandFailure.js"
import type { ExitWord } from "../shared/ExitCode.js"

/** How a check ended. */
export interface Check {
  readonly name: string
  readonly state: "ok" | "warn" | "fail" | "skip"
  readonly text: string
  /** The hint that solves the problem. */
  readonly todo: string | null
  /** The exit code of the program if this check is the first that fails. */
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

/** A check from a failed command; rethrows other errors. */
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
