/** The vocabulary of reports: a reporter reads a runtime and makes the draft of a report. */
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import type * as Json from "../shared/Json.js"

/** The draft of a report, from one read of a runtime. */
export interface ReportDraft {
  /** The units as requests have them. */
  readonly units: ReadonlyArray<Json.Fields>
  /** Running units that could not be reported, each with its reason. */
  readonly leftOut: ReadonlyArray<string>
  /** Units with an unknown digest, each with its reason. */
  readonly unknown?: ReadonlyArray<string>
  readonly warnings: ReadonlyArray<string>
  /** The units in the runtime's terms: `41 pods, 63 images`. */
  readonly summary?: string
  /** The position in the runtime's event stream, for `changed` of the same reporter. */
  readonly mark?: string
}

/** The reads of one round: environments of the same runtime share them. */
export class SharedReads {
  readonly #made = new Map<string, Promise<unknown>>()

  /** Computes a value once per round; a key must always have the same maker. */
  once<A>(key: string, make: () => Promise<A>): Promise<A> {
    const found = this.#made.get(key)
    // WHY: each key has one maker, which the type of a map cannot express.
    if (found !== undefined) return found as Promise<A>
    const made = make()
    this.#made.set(key, made)
    return made
  }
}

/** The input of a reporter. */
export interface ReporterInput {
  readonly context: CommandContext
  readonly args: Arguments
  readonly reads: SharedReads
}

/** The input of `changed`: the last draft, its time, and the signal that ends the wait. */
export interface WatchInput {
  readonly context: CommandContext
  readonly args: Arguments
  /** The last draft; undefined after a failure. */
  readonly last: ReportDraft | undefined
  readonly sinceMs: number
  readonly signal: AbortSignal
}

/** A reporter: the kind of its environments, and how it reads their runtime. */
export interface Reporter {
  readonly kind: (args: Arguments) => string
  readonly gather: (input: ReporterInput) => Promise<ReportDraft>
  /** Waits for a change; fails if the runtime sends no events. */
  readonly changed?: (input: WatchInput) => Promise<void>
}

/** A draft without omitted units. */
export const whole = (units: ReadonlyArray<Json.Fields>): ReportDraft => ({
  units,
  leftOut: [],
  warnings: []
})

/** Merges drafts. */
export const together = (parts: ReadonlyArray<ReportDraft>): ReportDraft => ({
  units: parts.flatMap(({ units }) => units),
  leftOut: parts.flatMap(({ leftOut }) => leftOut),
  unknown: parts.flatMap(({ unknown = [] }) => unknown),
  warnings: parts.flatMap(({ warnings }) => warnings)
})
