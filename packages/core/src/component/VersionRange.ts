/** Ranges of versions, such as `>=1.2.0 <1.4.3 || =2.0.0`, by the order of a type. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as VersionOrder from "./VersionOrder.js"

/** The most characters of a range. */
export const CHARACTERS_MAX = 1_024

type Operator = "=" | "<" | "<=" | ">" | ">="

/** A bound of a range. */
export interface Bound {
  readonly operator: Operator
  readonly version: string
}

/** A range: alternatives, of which a version fits one in all of its bounds. */
export interface VersionRange {
  readonly alternatives: ReadonlyArray<ReadonlyArray<Bound>>
}

/** A text that is no range of versions. */
export class InvalidVersionRange extends Schema.TaggedError<InvalidVersionRange>()(
  "InvalidVersionRange",
  { reason: Schema.Literal("too_long", "empty", "malformed") }
) {
  override get message(): string {
    if (this.reason === "too_long") return `the range has more than ${CHARACTERS_MAX} characters`
    return this.reason === "empty"
      ? "the range or one of its alternatives is empty"
      : "the range is not bounds such as `>=1.2.0 <1.4.3`, with `||` between alternatives"
  }
}

const BOUND = /(>=|<=|>|<|=)?\s*([^\s,<>=|]+)(?:[\s,]+|$)/y

const operatorOf = (written: string | undefined): Operator => {
  switch (written) {
    case "<":
    case "<=":
    case ">":
    case ">=":
      return written
    default:
      return "="
  }
}

const fail = (reason: InvalidVersionRange["reason"]) =>
  Either.left(new InvalidVersionRange({ reason }))

const parseAlternative = (
  written: string
): Either.Either<ReadonlyArray<Bound>, InvalidVersionRange> => {
  const text = written.trim()
  if (text === "") return fail("empty")
  const bounds: Array<Bound> = []
  let at = 0
  while (at < text.length) {
    BOUND.lastIndex = at
    const match = BOUND.exec(text)
    const version = match?.[2]
    if (match === null || version === undefined) return fail("malformed")
    bounds.push({ operator: operatorOf(match[1]), version })
    at += match[0].length
  }
  return Either.right(bounds)
}

/** Parses a range; a version without an operator is that version alone. */
export const parse = (text: string): Either.Either<VersionRange, InvalidVersionRange> =>
  text.length > CHARACTERS_MAX
    ? fail("too_long")
    : Either.map(Either.all(text.split("||").map(parseAlternative)), (alternatives) => ({
        alternatives
      }))

const fits = (order: -1 | 0 | 1 | null, operator: Operator): boolean => {
  switch (operator) {
    case "=":
      return order === 0
    case "<":
      return order === -1
    case "<=":
      return order === -1 || order === 0
    case ">":
      return order === 1
    case ">=":
      return order === 1 || order === 0
  }
}

/** Whether a version of a type is in a range. A version that has no place in the order of a bound is not. */
export const matches = (
  { alternatives }: VersionRange,
  { type, version }: { readonly type: string; readonly version: string }
): boolean =>
  alternatives.some((bounds) =>
    bounds.every((bound) =>
      fits(
        VersionOrder.compare(type, version, VersionOrder.completed(type, bound.version)),
        bound.operator
      )
    )
  )
