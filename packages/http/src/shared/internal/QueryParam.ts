/** Schemas of query parameters: numbers, booleans, instants and lists, with the error messages that clients expect. */
import * as Timestamp from "@attestry/core/Timestamp"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"

const WHOLE = /^[+-]?\d{1,15}$/
const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?$/

const numberFrom = (pattern: RegExp, message: string) =>
  Schema.transformOrFail(Schema.String, Schema.Number, {
    strict: true,
    decode: (text, _, ast) =>
      pattern.test(text)
        ? ParseResult.succeed(Number(text))
        : ParseResult.fail(new ParseResult.Type(ast, text, message)),
    encode: (value) => ParseResult.succeed(String(value))
  })

const Whole = numberFrom(
  WHOLE,
  "Input should be a valid integer, unable to parse string as an integer"
)

const Decimal = numberFrom(
  DECIMAL,
  "Input should be a valid number, unable to parse string as a number"
)

/** A whole number within bounds. */
export const integer = (min: number, max: number) =>
  Whole.pipe(Schema.between(min, max)).annotations({
    jsonSchema: { type: "integer", minimum: min, maximum: max }
  })

const TRUE = ["true", "1", "yes", "on"]
const FALSE = ["false", "0", "no", "off"]

/** A boolean. */
export const boolean: Schema.Schema<boolean, string> = Schema.transformOrFail(
  Schema.String,
  Schema.Boolean,
  {
    strict: true,
    decode: (text, _, ast) => {
      const word = text.toLowerCase()
      if (TRUE.includes(word)) return ParseResult.succeed(true)
      if (FALSE.includes(word)) return ParseResult.succeed(false)
      const message = "Input should be a valid boolean, unable to interpret input"
      return ParseResult.fail(new ParseResult.Type(ast, text, message))
    },
    encode: (value) => ParseResult.succeed(String(value))
  }
).annotations({ jsonSchema: { type: "boolean" } })

const SECONDS_MAX = Timestamp.MICROSECONDS_MAX / 1_000_000

/** An instant in epoch seconds. */
export const timestamp = Schema.transform(
  Decimal.pipe(Schema.between(-SECONDS_MAX, SECONDS_MAX)),
  Schema.typeSchema(Timestamp.Timestamp),
  { strict: true, decode: Timestamp.fromSeconds, encode: Timestamp.toSeconds }
).annotations({
  jsonSchema: { type: "number", minimum: -SECONDS_MAX, maximum: SECONDS_MAX },
  description: "Seconds since the epoch"
})

/** One or more values under one name. */
export const repeatable = <A, I extends string>(item: Schema.Schema<A, I>) =>
  Schema.transform(
    Schema.Union(Schema.String, Schema.Array(Schema.String)),
    Schema.Array(Schema.compose(Schema.String, item, { strict: false })),
    {
      strict: true,
      decode: (given) => (typeof given === "string" ? [given] : given),
      encode: (values) => values
    }
  )

/** A tag, with its value where one is asked for. */
export interface TagFilter {
  readonly key: string
  readonly value?: string
}

/** The filter of a text, `key` or `key:value`; no tag has an empty key. */
export const strictTagFilter = (text: string): TagFilter => {
  const colon = text.indexOf(":")
  return colon < 0 ? { key: text } : { key: text.slice(0, colon), value: text.slice(colon + 1) }
}

/** The same, where an empty text is no filter. */
export const tagFilter = (text: string): ReadonlyArray<TagFilter> =>
  text === "" ? [] : [strictTagFilter(text)]

/** An optional parameter, with its description. */
export const optional = <A, I>(schema: Schema.Schema<A, I>, description: string) =>
  Schema.optionalWith(schema, { exact: true }).annotations({ description })

/** `sort_direction`, with its default. */
export const sortDirection = (otherwise: "asc" | "desc") =>
  optional(
    Schema.Literal("asc", "desc"),
    `The direction of the order: \`asc\` or \`desc\`; \`${otherwise}\` unless asked.`
  )

/** `tag`, of several lists. */
export const tags = (combination: "all of them" | "any of them") =>
  optional(
    repeatable(Schema.String),
    `Only what has this tag: \`key\`, or \`key:value\`. May be repeated; ${combination} must fit.`
  )

/** `space_id`, of several lists. DECISION B-18 */
export const spaces = optional(
  repeatable(Schema.String),
  "Only what is in this space. There are no spaces, so any value selects nothing."
)

/** `from_timestamp` and `to_timestamp`, inclusive. */
export const period = {
  from_timestamp: optional(
    timestamp,
    "Only what happened at this time or later, in epoch seconds."
  ),
  to_timestamp: optional(timestamp, "Only what happened at this time or earlier, in epoch seconds.")
}
