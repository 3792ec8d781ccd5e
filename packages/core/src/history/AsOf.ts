/**
 * The parameter `as_of`: a read uses all evidence, or only evidence accepted by an instant. SPEC §4.5
 *
 * Its forms are `now`, epoch seconds, and an instant as in snapshot expressions (`@{…}`). Forms that start with a
 * letter and a colon are reserved for a size of the evidence log.
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as Timestamp from "../shared/Timestamp.js"
import * as SnapshotExpression from "../snapshot/SnapshotExpression.js"

/** Which evidence a read uses: all of it, or that accepted by an instant. */
export type AsOf =
  | { readonly _tag: "Now" }
  | { readonly _tag: "At"; readonly instant: Timestamp.Timestamp }
  | { readonly _tag: "Ago"; readonly count: number; readonly unit: SnapshotExpression.Unit }

/** All evidence. */
export const now: AsOf = { _tag: "Now" }

/** The text is not an instant. */
export class InvalidAsOf extends Schema.TaggedError<InvalidAsOf>()("InvalidAsOf", {
  text: Schema.String
}) {
  override get message(): string {
    return (
      "Input should be `now`, a number of epoch seconds, or a moment such as `@{2026-02-20T12:00:00}` " +
      "or `@{2.days.ago}`"
    )
  }
}

const SECONDS = /^\d{1,10}(\.\d{1,9})?$/
const SECONDS_MAX = Timestamp.MICROSECONDS_MAX / 1_000_000

const momentOf = (text: string): Option.Option<AsOf> =>
  Option.flatMap(Either.getRight(SnapshotExpression.parse(text)), (expression) =>
    expression._tag === "At" || expression._tag === "Ago" || expression._tag === "Now"
      ? Option.some(expression)
      : Option.none()
  )

/** Parses the text of a parameter. */
export const parse = (text: string): Either.Either<AsOf, InvalidAsOf> => {
  if (text === "now") return Either.right(now)
  if (SECONDS.test(text) && Number(text) <= SECONDS_MAX)
    return Either.right({ _tag: "At", instant: Timestamp.fromSeconds(Number(text)) })
  return Either.fromOption(
    text.startsWith("@") ? momentOf(text) : Option.none(),
    () => new InvalidAsOf({ text })
  )
}

/** The text of a value; the inverse of `parse`. */
export const print = (asOf: AsOf): string => {
  switch (asOf._tag) {
    case "Now":
      return "now"
    case "At":
      return String(Timestamp.toSeconds(asOf.instant))
    case "Ago":
      return SnapshotExpression.print(asOf)
  }
}

/** The instant of a value; an instant in the future counts as now. */
export const instantOf = (asOf: AsOf, at: Timestamp.Timestamp): Timestamp.Timestamp => {
  switch (asOf._tag) {
    case "Now":
      return at
    case "At":
      return asOf.instant < at ? asOf.instant : at
    case "Ago":
      return SnapshotExpression.before(at, asOf.count, asOf.unit)
  }
}

const Parsed = Schema.Union(SnapshotExpression.Now, SnapshotExpression.At, SnapshotExpression.Ago)

/** `AsOf` as text. */
export const FromText = Schema.transformOrFail(Schema.String, Schema.typeSchema(Parsed), {
  strict: true,
  decode: (text, _, ast) =>
    Either.mapLeft(parse(text), ({ message }) => new ParseResult.Type(ast, text, message)),
  encode: (asOf) => ParseResult.succeed(print(asOf))
}).annotations({
  // WHY no identifier: some linters count a parameter that refers to a schema and describes it as two schemas.
  jsonSchema: { type: "string" }
})

/** The resource did not exist at that instant. */
export class NotYetThere extends Schema.TaggedError<NotYetThere>()("NotYetThere", {
  /** The kind of resource: `flow`, `trail`, `artifact` or `environment`. */
  noun: Schema.String,
  name: Schema.String,
  asOf: Timestamp.Timestamp
}) {
  override get message(): string {
    return `${this.noun} \`${this.name}\` did not exist at ${Timestamp.toSeconds(this.asOf)}`
  }
}

/** The snapshot was made after the instant. */
export class SnapshotAfterAsOf extends Schema.TaggedError<SnapshotAfterAsOf>()(
  "SnapshotAfterAsOf",
  {
    index: Schema.Int,
    timestamp: Timestamp.Timestamp,
    asOf: Timestamp.Timestamp
  }
) {
  override get message(): string {
    return `Snapshot ${this.index} was made later, at ${Timestamp.toSeconds(this.timestamp)}`
  }
}
