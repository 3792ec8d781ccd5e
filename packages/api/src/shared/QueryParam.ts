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

/** An instant in epoch seconds, not before the epoch. */
export const laterTimestamp = timestamp
  .pipe(
    Schema.filter((instant) => (instant < 0 ? "Input should be greater than or equal to 0" : true))
  )
  .annotations({
    jsonSchema: { type: "number", minimum: 0, maximum: SECONDS_MAX },
    description: "Seconds since the epoch"
  })

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6})\d*)?)?(Z|[+ -]\d{2}:?\d{2})?)?$/

/** Minutes east of UTC. WHY a space: an unescaped `+` in a query reads as one. */
const offsetOf = (zone: string | undefined): number => {
  if (zone === undefined || zone === "Z") return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))
  return zone.startsWith("-") ? -minutes : minutes
}

/** The instant of an ISO 8601 text; a date alone is its beginning in UTC. Undefined for another text. */
const instantOf = (text: string): Timestamp.Timestamp | undefined => {
  const [
    ,
    year = "",
    month = "",
    day = "",
    hour = "0",
    minute = "0",
    second = "0",
    rest = "",
    zone
  ] = ISO.exec(text) ?? []
  if (year === "" || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59)
    return undefined
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day))
    return undefined
  const minutes = Number(hour) * 60 + Number(minute) - offsetOf(zone)
  const micros = Number(rest.padEnd(6, "0"))
  return Timestamp.fromMicros(
    (date.getTime() + minutes * 60_000) * 1000 + Number(second) * 1e6 + micros
  )
}

/** An instant as an ISO 8601 text. */
export const isoInstant = Schema.transformOrFail(
  Schema.String,
  Schema.typeSchema(Timestamp.Timestamp),
  {
    strict: true,
    decode: (text, _, ast) => {
      const instant = instantOf(text)
      return instant === undefined
        ? ParseResult.fail(
            new ParseResult.Type(ast, text, "Input should be a valid ISO 8601 date or instant")
          )
        : ParseResult.succeed(instant)
    },
    encode: (instant) =>
      ParseResult.succeed(new Date(Timestamp.toSeconds(instant) * 1000).toISOString())
  }
).annotations({ jsonSchema: { type: "string", format: "date-time" } })

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

/** Some of the given words, separated by commas; another word is refused. */
export const words = <const Words extends ReadonlyArray<string>>(known: Words) =>
  Schema.transformOrFail(Schema.String, Schema.Array(Schema.Literal(...known)), {
    strict: true,
    decode: (text, _, ast) => {
      const given = text.split(",")
      const unknown = given.filter((word) => !known.includes(word))
      return unknown.length === 0
        ? ParseResult.succeed(given)
        : ParseResult.fail(
            new ParseResult.Type(ast, text, `Input should be of ${known.join(", ")}`)
          )
    },
    encode: (values) => ParseResult.succeed(values.join(","))
  })

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

/** The same; an empty text filters nothing. */
export const tagFilter = (text: string): ReadonlyArray<TagFilter> =>
  text === "" ? [] : [strictTagFilter(text)]

/** An optional parameter, with its description. */
export const optional = <A, I>(schema: Schema.Schema<A, I>, description: string) =>
  Schema.optionalWith(schema, { exact: true }).annotations({ description })

/** `sort_direction`, with its default. */
export const sortDirection = (otherwise: "asc" | "desc") =>
  optional(
    Schema.Literal("asc", "desc"),
    `The direction of the order: \`asc\` or \`desc\`; \`${otherwise}\` by default.`
  )

/** `tag`, of several lists. */
export const tags = (combination: "all of them" | "any of them") =>
  optional(
    repeatable(Schema.String),
    `Only what has this tag: \`key\`, or \`key:value\`. May be repeated; ${combination} must fit.`
  )

/** `space_id`, of several lists. */
export const spaces = optional(
  repeatable(Schema.String),
  "Only resources in this space, by its id, and in spaces below it. May be repeated."
)

/** `from_timestamp` and `to_timestamp`, inclusive. */
export const period = {
  from_timestamp: optional(timestamp, "Only records of this time or later, in epoch seconds."),
  to_timestamp: optional(timestamp, "Only records of this time or earlier, in epoch seconds.")
}

/** `start_ts` and `end_ts`, inclusive, with the days before its end at which a window begins. */
export const window = (otherwise: string) => ({
  start_ts: optional(
    timestamp,
    `Only what happened at this time or later, in epoch seconds; ${otherwise}.`
  ),
  end_ts: optional(
    timestamp,
    "Only records of this time or earlier, in epoch seconds; now by default."
  )
})

/** Refuses a window that ends before it begins. */
export const inOrder = (query: {
  readonly start_ts?: Timestamp.Timestamp
  readonly end_ts?: Timestamp.Timestamp
}) =>
  query.start_ts !== undefined && query.end_ts !== undefined && query.start_ts > query.end_ts
    ? { path: ["start_ts"], message: "Input should not be after `end_ts`" }
    : undefined

/** The bounds of a window that a query gives. */
export const boundsOf = ({
  start_ts,
  end_ts
}: {
  readonly start_ts?: Timestamp.Timestamp
  readonly end_ts?: Timestamp.Timestamp
}) => ({
  ...(start_ts === undefined ? {} : { from: start_ts }),
  ...(end_ts === undefined ? {} : { to: end_ts })
})
