/** Builds the content of coverage from the counts of its format. */
import type { FactsOf } from "@attestry/core/EvidenceFacts"
import * as Either from "effect/Either"
import type { EvidenceProblem } from "../../EvidenceProblem.js"
import type { ReadContent } from "../ReadContent.js"
import * as Fields from "./Fields.js"

/** The largest number of lines or branches. */
export const MEASURED_MAX = 1_000_000_000

/** How much of something is covered. */
export type Covered = NonNullable<FactsOf<"coverage">["lines"]>

/** Counts of lines or branches. */
export interface Measured {
  readonly covered: number
  readonly total: number
}

/** Coverage, as a format gives it; null where it does not measure. */
export interface CoverageReading {
  readonly format: { readonly name: string; readonly version: string | null }
  readonly tool: { readonly name: string; readonly version: string | null } | null
  readonly createdAt: number | null
  readonly lines: Measured | null
  readonly branches: Measured | null
}

const isCount = (value: number): boolean =>
  Number.isSafeInteger(value) && value >= 0 && value <= MEASURED_MAX

/** The part that is covered, in percent with two decimals; never more than it is. Null if nothing was measured. */
const coveredOf = (
  measured: Measured | null,
  part: string
): Either.Either<Covered | null, EvidenceProblem> => {
  if (measured === null) return Either.right(null)
  const { covered, total } = measured
  if (!isCount(covered) || !isCount(total))
    return Either.left(Fields.unreadable(`the ${part} have numbers that are no counts`))
  if (covered > total)
    return Either.left(Fields.unreadable(`more ${part} are covered than there are`))
  if (total === 0) return Either.right(null)
  return Either.right({ covered, total, percent: Math.floor((covered * 10_000) / total) / 100 })
}

/** A count of an attribute or a line; not a number for any other text. */
export const countOf = (text: string | undefined): number =>
  text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN

/** The content of coverage. */
export const make = (reading: CoverageReading): Either.Either<ReadContent, EvidenceProblem> =>
  Either.gen(function* () {
    const lines = yield* coveredOf(reading.lines, "lines")
    const branches = yield* coveredOf(reading.branches, "branches")
    const { format, tool, createdAt } = reading
    const facts = {
      kind: "coverage" as const,
      format,
      tool,
      created_at: createdAt,
      truncated: [],
      lines,
      branches
    }
    return { facts, subjects: [] }
  })
