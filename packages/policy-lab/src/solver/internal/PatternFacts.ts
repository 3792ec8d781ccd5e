/**
 * Which of several patterns can match one text together, as far as their literal parts tell.
 *
 * A combination that is left out is impossible; one that stays may be impossible all the same.
 */
import { literalParts, type LiteralParts as Parts } from "@attestry/core/PolicyPattern"

/** The patterns of a combination that match; the others do not. */
export interface Matched {
  readonly sources: ReadonlySet<string>
  readonly others: ReadonlyArray<string>
}

const firstOf = ({ texts }: Parts): string => texts[0] ?? ""
const lastOf = ({ texts }: Parts): string => texts.at(-1) ?? ""
const isSingle = ({ texts }: Parts): boolean => texts.length === 1
const isWhole = (parts: Parts): boolean => isSingle(parts) && parts.atStart && parts.atEnd

/** Whether every text matches. */
const isAlways = (parts: Parts): boolean =>
  isSingle(parts) && firstOf(parts) === "" && !(parts.atStart && parts.atEnd)

/** Whether each text that matches the one matches the other. */
const implies = (one: Parts, other: Parts): boolean => {
  if (isAlways(other)) return true
  if (!isSingle(other) || isWhole(other)) return false
  const text = firstOf(other)
  if (other.atStart) return one.atStart && firstOf(one).startsWith(text)
  if (other.atEnd) return one.atEnd && lastOf(one).endsWith(text)
  return one.texts.some((part) => part.includes(text))
}

const isPrefix = (one: string, other: string): boolean =>
  one.startsWith(other) || other.startsWith(one)
const isSuffix = (one: string, other: string): boolean => one.endsWith(other) || other.endsWith(one)

/** Whether no text matches both. */
const excludes = (one: Parts, other: Parts): boolean =>
  (one.atStart && other.atStart && !isPrefix(firstOf(one), firstOf(other))) ||
  (one.atEnd && other.atEnd && !isSuffix(lastOf(one), lastOf(other)))

const combine = (sources: ReadonlyArray<string>): ReadonlyArray<Matched> =>
  sources.reduce<ReadonlyArray<Matched>>(
    (known, source) =>
      known.flatMap(({ others, sources: matched }) => [
        { sources: new Set([...matched, source]), others },
        { sources: matched, others: [...others, source] }
      ]),
    [{ sources: new Set(), others: [] }]
  )

/** Whether the literal parts of the patterns allow the combination. */
const isConsistent = ({ others, sources }: Matched, parts: ReadonlyMap<string, Parts>): boolean => {
  const read = (source: string): ReadonlyArray<Parts> => {
    const found = parts.get(source)
    return found === undefined ? [] : [found]
  }
  const matched = [...sources].flatMap(read)
  const unmatched = others.flatMap(read)
  return (
    // WHY no whole text: it is a value of its own, which is always tried.
    !matched.some(isWhole) &&
    !unmatched.some(isAlways) &&
    !matched.some((one) => unmatched.some((other) => implies(one, other))) &&
    !matched.some((one) => matched.some((other) => excludes(one, other)))
  )
}

/** The combinations of patterns that their literal parts allow. */
export const combinations = (sources: ReadonlyArray<string>): ReadonlyArray<Matched> => {
  const parts = new Map(
    sources.flatMap((source) => {
      const found = literalParts(source)
      return found === undefined ? [] : [[source, found] as const]
    })
  )
  return combine(sources).filter((matched) => isConsistent(matched, parts))
}

/** Patterns that every decimal number matches. */
const OF_NUMBERS = /^(?:\[0-9\]|\\d)\+?\$?$/

const mayMatchNumber = (source: string): boolean => {
  const parts = literalParts(source)
  return parts === undefined || parts.texts.every((text) => /^[0-9.+-]*$/.test(text))
}

/** Whether a number can have this combination; for other texts it is not known. */
export const isPossible = ({ others, sources }: Matched, isNumber: boolean): boolean =>
  !isNumber ||
  (!others.some((source) => OF_NUMBERS.test(source)) && [...sources].every(mayMatchNumber))
