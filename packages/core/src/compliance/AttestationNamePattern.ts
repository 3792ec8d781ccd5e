/**
 * Which names of attestations a pattern matches, with a bound on the work.
 *
 * The pattern is matched here and not by the store, so that every store matches alike, and in linear time.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"

/** A compiled pattern; `PolicyPattern` makes them. */
export interface NamePattern {
  readonly source: string
  /** The most work of a search per character of text. */
  readonly weight: number
  /** Whether some part of the text matches. */
  readonly test: (text: string) => boolean
}

/** The most names that a pattern is matched with. */
export const NAMES_MAX = 10_000

/** The most work of a pattern on all names: its weight times their characters. */
export const WORK_MAX = 20_000_000

/** The org has more attestation names than this pattern can be matched with. */
export class NamePatternTooCostly extends Schema.TaggedError<NamePatternTooCostly>()(
  "NamePatternTooCostly",
  { pattern: Schema.String }
) {
  override get message(): string {
    return "the org has more attestation names than this pattern can be matched with"
  }
}

/** Refuses a pattern that is too much work; `names` are all of them, or more than `NAMES_MAX`. */
export const check = (
  pattern: NamePattern,
  names: ReadonlyArray<string>
): Either.Either<void, NamePatternTooCostly> => {
  const characters = names.reduce((sum, { length }) => sum + length, 0)
  return names.length > NAMES_MAX || characters * pattern.weight > WORK_MAX
    ? Either.left(new NamePatternTooCostly({ pattern: pattern.source }))
    : Either.void
}

/** The names that the pattern matches, in their order; pauses after each, for `Slices.run`. */
export function* select(
  pattern: NamePattern,
  names: ReadonlyArray<string>
): Generator<void, ReadonlyArray<string>> {
  const matched: Array<string> = []
  for (const name of names) {
    if (pattern.test(name)) matched.push(name)
    yield
  }
  return matched
}
