/**
 * The language that names one snapshot of an environment. SPEC §4.5
 *
 * Parsing is total and resolving is pure: `locate` turns an expression into a `Locator`, which a store
 * resolves. `QualifiedExpression` also has the name of the environment.
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { clamp, minusMonths, parseMoment, printMoment } from "../shared/internal/UtcCalendar.js"
import { Timestamp } from "../shared/Timestamp.js"

/** The largest number of an expression: nine digits. */
export const NUMBER_MAX = 999_999_999

/** The units of a relative expression. */
export const Unit = Schema.Literal("hours", "days", "weeks", "months")
/** The units of a relative expression. */
export type Unit = typeof Unit.Type

const upTo = (max: number, min: number) => Schema.Int.pipe(Schema.between(min, max))

/** The Nth snapshot counting from 1, or from the latest when negative (-1 is the latest). */
export const Index = Schema.TaggedStruct("Index", { n: upTo(NUMBER_MAX, -NUMBER_MAX) })
/** The Nth snapshot before the latest. */
export const Behind = Schema.TaggedStruct("Behind", { n: upTo(NUMBER_MAX, 0) })
/** The snapshot at an instant. */
export const At = Schema.TaggedStruct("At", { instant: Timestamp })
/** The snapshot at a time before the request. */
export const Ago = Schema.TaggedStruct("Ago", { count: upTo(NUMBER_MAX, 1), unit: Unit })
/** The snapshot at the time of the request. */
export const Now = Schema.TaggedStruct("Now", {})

/** Names one snapshot of an environment. */
export const SnapshotExpression = Schema.Union(Index, Behind, At, Ago, Now)
/** Names one snapshot of an environment. */
export type SnapshotExpression = typeof SnapshotExpression.Type

/** Text that is no snapshot expression: no such form, a count of zero, or an impossible date. */
export class InvalidSnapshotExpression extends Schema.TaggedError<InvalidSnapshotExpression>()(
  "InvalidSnapshotExpression",
  { expression: Schema.String }
) {
  override get message() {
    return `\`${this.expression}\` is not a snapshot expression`
  }
}

/** A valid expression whose index is not that of a snapshot. */
export class SnapshotIndexOutOfRange extends Schema.TaggedError<SnapshotIndexOutOfRange>()(
  "SnapshotIndexOutOfRange",
  { expression: Schema.String, index: Schema.Int, latestIndex: Schema.Int }
) {
  override get message() {
    return `\`${this.expression}\` resolves to ${this.index} of ${this.latestIndex} snapshots`
  }
}

/** The query of a store: the snapshot with an index, or the newest not after an instant. */
export type Locator =
  | { readonly _tag: "AtIndex"; readonly index: number }
  | { readonly _tag: "AtInstant"; readonly instant: Timestamp }

/** The Nth snapshot counting from 1, or from the latest when negative. */
export const index = (n: number): SnapshotExpression => Index.make({ n: n + 0 })

/** The Nth snapshot before the latest; `behind(0)` is the latest. */
export const behind = (n: number): SnapshotExpression => Behind.make({ n: n + 0 })

/** The snapshot at an instant; its text has whole seconds, so `print` rounds up. */
export const at = (instant: Timestamp): SnapshotExpression => At.make({ instant })

/** The snapshot at a time before the request: `ago(2, "days")`. */
export const ago = (count: number, unit: Unit): SnapshotExpression => Ago.make({ count, unit })

/** The snapshot at the time of the request. */
export const now: SnapshotExpression = { _tag: "Now" }

const NUMBER = /^#?(-?[0-9]{1,9})$/
const BEHIND = /^~([0-9]{1,9})$/
const MOMENT = /^@\{([0-9T:-]+)\}$/
const AGO = /^@\{([0-9]{1,9})\.(hours|days|weeks|months)\.ago\}$/

/** Parses the forms alone: snapshots count from 1, and an end of a range may still be 0 (`SnapshotRange`). */
export const parseForm = (text: string): Option.Option<SnapshotExpression> => {
  if (text === "@{now}") return Option.some(now)
  const number = NUMBER.exec(text)?.[1]
  if (number !== undefined) return Option.some(index(Number(number)))
  const distance = BEHIND.exec(text)?.[1]
  if (distance !== undefined) return Option.some(behind(Number(distance)))
  const moment = MOMENT.exec(text)?.[1]
  if (moment !== undefined) return Option.map(parseMoment(moment), at)
  const [, count, unit] = AGO.exec(text) ?? []
  return Schema.is(Unit)(unit) && Number(count) >= 1
    ? Option.some(ago(Number(count), unit))
    : Option.none()
}

const isZero = (expression: SnapshotExpression): boolean =>
  expression._tag === "Index" && expression.n === 0

/**
 * Parses the percent-decoded text of an expression; forms and words are exact, and the number 0 never names a
 * snapshot. The first is the fault of the text, the second of the data.
 */
export const parse = (text: string): Either.Either<SnapshotExpression, InvalidSnapshotExpression> =>
  Either.fromOption(
    Option.filter(parseForm(text), (expression) => !isZero(expression)),
    () => new InvalidSnapshotExpression({ expression: text })
  )

/** The text of an expression; the inverse of `parse`. */
export const print = (expression: SnapshotExpression): string => {
  switch (expression._tag) {
    case "Index":
      return String(expression.n)
    case "Behind":
      return `~${expression.n}`
    case "At":
      return `@{${printMoment(clamp(Math.ceil(expression.instant / 1_000_000) * 1_000_000))}}`
    case "Ago":
      return `@{${expression.count}.${expression.unit}.ago}`
    case "Now":
      return "@{now}"
  }
}

/** An expression as its text, for paths and queries. */
export const FromText = Schema.transformOrFail(
  Schema.String,
  Schema.typeSchema(SnapshotExpression),
  {
    strict: true,
    decode: (text, _, ast) =>
      Either.mapLeft(parse(text), ({ message }) => new ParseResult.Type(ast, text, message)),
    encode: (expression) => ParseResult.succeed(print(expression))
  }
).annotations({ identifier: "SnapshotExpression" })

const MICROS = { hours: 3_600_000_000, days: 86_400_000_000, weeks: 604_800_000_000 } as const

/** The instant a count of units before another. */
export const before = (instant: Timestamp, count: number, unit: Unit): Timestamp =>
  unit === "months" ? minusMonths(instant, count) : clamp(instant - count * MICROS[unit])

/** The query for an expression, or the index of a snapshot that does not exist. */
export const locate = (
  expression: SnapshotExpression,
  { now, latestIndex }: { readonly now: Timestamp; readonly latestIndex: number }
): Either.Either<Locator, SnapshotIndexOutOfRange> => {
  const atIndex = (index: number) =>
    index >= 1 && index <= latestIndex
      ? Either.right({ _tag: "AtIndex" as const, index })
      : Either.left(
          new SnapshotIndexOutOfRange({ expression: print(expression), index, latestIndex })
        )
  const atInstant = (instant: Timestamp) => Either.right({ _tag: "AtInstant" as const, instant })
  switch (expression._tag) {
    case "Index":
      return atIndex(expression.n < 0 ? latestIndex + 1 + expression.n : expression.n)
    case "Behind":
      return atIndex(latestIndex - expression.n)
    case "At":
      return atInstant(expression.instant)
    case "Ago":
      return atInstant(before(now, expression.count, expression.unit))
    case "Now":
      // `@{now}` means the latest snapshot, because timestamps never run ahead.
      return atIndex(latestIndex)
  }
}
