/**
 * All texts that are none of the literals of a term, as finitely many regions: a gap between ordered texts, a
 * range of numbers or none, and the patterns that match.
 *
 * A region may be empty; only regions that are provably empty are left out.
 */

import { compareTexts } from "@attestry/core/PolicyValue"
import * as PatternFacts from "./PatternFacts.js"
import { printUnits, type TermLiterals } from "./TermLiterals.js"

/** The numbers of a region in units: exactly one, or all strictly between two; null is no bound. */
export interface NumberRange {
  readonly above: bigint | null
  readonly below: bigint | null
  readonly exactly: bigint | undefined
}

/** A region of texts. */
export interface TextRegion {
  /** The number of ordered texts that are before the texts of the region. */
  readonly gap: number
  /** The range of their numbers; undefined when they are no numbers. */
  readonly number: NumberRange | undefined
  /** The patterns that match them. */
  readonly matched: ReadonlySet<string>
}

/** A region, and the literals that it is made of. */
export interface RegionOf {
  readonly literals: TermLiterals
  readonly region: TextRegion
}

/** The order of a range against a number of the tests. */
export const orderOf = ({ above, below, exactly }: NumberRange, units: bigint): number => {
  if (exactly !== undefined) return exactly < units ? -1 : exactly > units ? 1 : 0
  if (above !== null && above >= units) return 1
  return below !== null && below <= units ? -1 : 0
}

const ranges = ({ numbers }: TermLiterals): ReadonlyArray<NumberRange> => [
  ...numbers.map((exactly) => ({ above: exactly, below: exactly, exactly })),
  ...[...numbers, null].map((below, index) => ({
    above: numbers[index - 1] ?? null,
    below,
    exactly: undefined
  }))
]

/** The characters that begin a number of the range. */
const firstCharacters = ({ above, below, exactly }: NumberRange): ReadonlyArray<string> => {
  const mayBeNegative = exactly !== undefined ? exactly <= 0n : above === null || above < 0n
  const mayBePositive = exactly !== undefined ? exactly >= 0n : below === null || below > 0n
  const isSpread = exactly === undefined && (above === null || above < 0n)
  const mayBeZero = isSpread && (below === null || below > 0n)
  return [
    ...(mayBeNegative || mayBeZero ? ["-"] : []),
    ...(mayBePositive || mayBeZero ? ["+", ..."0123456789"] : [])
  ]
}

/** The ends of a gap; null is no end. */
interface Gap {
  readonly lower: string | null
  readonly upper: string | null
}

/** Whether a text that begins with the character can be in the gap. */
const reaches = ({ lower, upper }: Gap, character: string): boolean => {
  const after = String.fromCharCode(character.charCodeAt(0) + 1)
  return (
    (lower === null || compareTexts(lower, after) < 0) &&
    (upper === null || compareTexts(character, upper) < 0)
  )
}

const isInside = ({ lower, upper }: Gap, text: string): boolean =>
  (lower === null || compareTexts(lower, text) < 0) &&
  (upper === null || compareTexts(text, upper) < 0)

/** The longest text up to which the spellings of a number are tried one by one. */
const SPELLINGS_LENGTH_MAX = 24

/** Whether some spelling of exactly this number is in the gap: signs, leading zeros and trailing zeros vary. */
const isSpelled = (gap: Gap, exactly: bigint, scale: number): boolean => {
  const length = Math.max(gap.lower?.length ?? 0, gap.upper?.length ?? 0) + 1
  if (length > SPELLINGS_LENGTH_MAX) return true
  const digits = printUnits(exactly < 0n ? -exactly : exactly, scale)
  const point = digits.includes(".") ? "" : "."
  const signs = exactly < 0n ? ["-"] : exactly === 0n ? ["", "+", "-"] : ["", "+"]
  for (let zeros = 0; zeros <= length; zeros++)
    for (let tail = 0; tail <= length; tail++)
      for (const sign of signs) {
        const ending = tail === 0 ? "" : point + "0".repeat(tail)
        if (isInside(gap, sign + "0".repeat(zeros) + digits + ending)) return true
      }
  return false
}

const mayHold = (gap: Gap, range: NumberRange | undefined, scale: number): boolean =>
  range === undefined ||
  (firstCharacters(range).some((character) => reaches(gap, character)) &&
    (range.exactly === undefined || isSpelled(gap, range.exactly, scale)))

/** The number of regions, provably empty ones too. */
export const countOf = ({ numbers, ordered, patterns }: TermLiterals): number =>
  (ordered.length + 1) * (numbers.length === 0 ? 1 : 2 * numbers.length + 2) * 2 ** patterns.length

/** Every region that is not provably empty. */
export function* regions(
  literals: TermLiterals,
  patterns: ReadonlyArray<readonly [string, (text: string) => boolean]>
): Generator<TextRegion> {
  const { numbers, ordered, scale } = literals
  const matches = PatternFacts.combinations(patterns.map(([source]) => source))
  const numeric = numbers.length === 0 ? [] : ranges(literals)
  for (const [gap, lower] of [null, ...ordered].entries()) {
    const ends = { lower, upper: ordered[gap] ?? null }
    for (const number of [undefined, ...numeric])
      if (mayHold(ends, number, scale))
        for (const matched of matches)
          if (PatternFacts.isPossible(matched, number !== undefined))
            yield { gap, number, matched: matched.sources }
  }
}
