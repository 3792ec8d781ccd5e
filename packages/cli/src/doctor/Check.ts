/** The vocabulary of `attestry doctor`: one check, how it ended, and the way out. */
import { CommandFailure } from "../shared/CommandFailure.js"
import type { ExitWord } from "../shared/ExitCode.js"

/** How a check ended. */
export interface Check {
  readonly name: string
  readonly state: "ok" | "warn" | "fail" | "skip"
  readonly text: string
  /** What would put it right. */
  readonly todo: string | null
  /** How the program ends where this is the first that fails. */
  readonly word: ExitWord | null
}

/** A check that found nothing wrong. */
export const ok = (name: string, text: string): Check => ({
  name,
  state: "ok",
  text,
  todo: null,
  word: null
})

/** A check that found something to know. */
export const warn = (name: string, text: string, todo: string): Check => ({
  name,
  state: "warn",
  text,
  todo,
  word: null
})

/** A check that could not be made. */
export const skip = (name: string, text: string): Check => ({
  name,
  state: "skip",
  text,
  todo: null,
  word: null
})

/** A check that failed as a command would; anything that is no failure of a command goes on. */
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
