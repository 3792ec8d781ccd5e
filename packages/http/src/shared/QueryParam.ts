/** Values of query parameters: text on the wire, with the words of refusals that clients know. */
import { fromSeconds, MICROSECONDS_MAX, Timestamp, toSeconds } from "@attestry/core/Timestamp"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"

const fromText = <A, I>(
  to: Schema.Schema<A, I>,
  read: (text: string) => I | undefined,
  message: string
): Schema.Schema<A, string> =>
  Schema.transformOrFail(Schema.String, to, {
    strict: true,
    decode: (text, _, ast) => {
      const value = read(text)
      return value === undefined
        ? ParseResult.fail(new ParseResult.Type(ast, text, message))
        : ParseResult.succeed(value)
    },
    encode: (value) => ParseResult.succeed(String(value))
  })

/** A whole number between two others. */
export const integer = (minimum: number, maximum: number): Schema.Schema<number, string> =>
  fromText(
    Schema.Int.pipe(Schema.between(minimum, maximum)),
    (text) => (/^[+-]?[0-9]{1,15}$/.test(text) ? Number(text) : undefined),
    "Input should be a valid integer, unable to parse string as an integer"
  )

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false]
])

/** `true` or `false`, in any case; also `1` and `0`. */
export const boolean: Schema.Schema<boolean, string> = fromText(
  Schema.Boolean,
  (text) => BOOLEANS.get(text.toLowerCase()),
  "Input should be a valid boolean, unable to interpret input"
)

/** An instant as epoch seconds, fractions allowed. */
export const epochSeconds: Schema.Schema<Timestamp, string> = Schema.transformOrFail(
  Schema.String,
  Schema.typeSchema(Timestamp),
  {
    strict: true,
    decode: (text, _, ast) => {
      const seconds = /^-?[0-9]{1,16}(\.[0-9]+)?$/.test(text) ? Number(text) : Number.NaN
      return Math.abs(seconds) <= MICROSECONDS_MAX / 1_000_000
        ? ParseResult.succeed(fromSeconds(seconds))
        : ParseResult.fail(
            new ParseResult.Type(
              ast,
              text,
              "Input should be a valid number, unable to parse string as a number"
            )
          )
    },
    encode: (instant) => ParseResult.succeed(String(toSeconds(instant)))
  }
)

/** A parameter that may be given more than once. */
export const repeatable = <A, I extends string>(
  item: Schema.Schema<A, I>
): Schema.Schema<ReadonlyArray<A>, string | ReadonlyArray<string>> =>
  Schema.transform(Schema.Union(Schema.String, Schema.Array(Schema.String)), Schema.Array(item), {
    // WHY: what is read is any text; the schema of the items decides which ones are words of theirs.
    strict: false,
    decode: (given) => (typeof given === "string" ? [given] : given),
    encode: (values) => values
  })

/** A parameter that may be left out. */
export const optional = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.optionalWith(schema, { exact: true })
