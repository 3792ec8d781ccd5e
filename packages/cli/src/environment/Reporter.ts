/** The vocabulary of reports: what was read of a runtime, and what reads it. */
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import type * as Json from "../shared/Json.js"

/** What was read of a runtime. */
export interface Gathered {
  /** The units of the report, as the interface has them. */
  readonly units: ReadonlyArray<Json.Fields>
  /** What runs and could not be reported, each with its reason. */
  readonly leftOut: ReadonlyArray<string>
  /** What is reported with an unknown digest, each with its reason. */
  readonly unknown?: ReadonlyArray<string>
  readonly warnings: ReadonlyArray<string>
  /** The units in the words of the runtime: `41 pods, 63 images`. */
  readonly summary?: string
  /** Where the runtime stood, for the reporter's own `changed`. */
  readonly mark?: string
}

/** One round of reports: what several environments read of one runtime is read once. */
export class Round {
  readonly #made = new Map<string, Promise<unknown>>()

  /** A value that is made once in this round; the maker of a key always gives the same type. */
  once<A>(key: string, make: () => Promise<A>): Promise<A> {
    const found = this.#made.get(key)
    // WHY: a key belongs to one maker, which the type of a map cannot say.
    if (found !== undefined) return found as Promise<A>
    const made = make()
    this.#made.set(key, made)
    return made
  }
}

/** What a reporter is asked. */
export interface Asked {
  readonly context: CommandContext
  readonly args: Arguments
  readonly round: Round
}

/** What `changed` is asked: since when, and until when it waits. */
export interface Awaited {
  readonly context: CommandContext
  readonly args: Arguments
  /** What was gathered last; undefined where that failed. */
  readonly last: Gathered | undefined
  readonly sinceMs: number
  readonly signal: AbortSignal
}

/** A reporter: a kind of environment, and how its runtime is read. */
export interface Reporter {
  readonly kind: (args: Arguments) => string
  readonly gather: (asked: Asked) => Promise<Gathered>
  /** Waits until something has changed; fails where the runtime does not tell. */
  readonly changed?: (awaited: Awaited) => Promise<void>
}

/** Nothing was left out. */
export const whole = (units: ReadonlyArray<Json.Fields>): Gathered => ({
  units,
  leftOut: [],
  warnings: []
})

/** Several readings as one. */
export const together = (parts: ReadonlyArray<Gathered>): Gathered => ({
  units: parts.flatMap(({ units }) => units),
  leftOut: parts.flatMap(({ leftOut }) => leftOut),
  unknown: parts.flatMap(({ unknown = [] }) => unknown),
  warnings: parts.flatMap(({ warnings }) => warnings)
})
