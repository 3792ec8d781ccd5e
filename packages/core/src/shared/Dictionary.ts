/**
 * A JSON object whose keys come from outside: image names, pod names, labels.
 *
 * WHY: `Schema.Record` copies members by assignment, which loses one called `__proto__`; an artifact that is
 * lost from a report would not be evaluated.
 */
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type { Json } from "./CanonicalJson.js"
import * as JsonScanner from "./internal/JsonScanner.js"
import * as SchemaFastPath from "./SchemaFastPath.js"
import * as TextProblems from "./TextProblems.js"

/** A JSON object with any keys; read it with `Object.entries`, never by indexing. */
export type Dictionary<A> = { readonly [key: string]: A }

type Read<A> = (input: unknown) => Either.Either<A, ParseResult.ParseIssue>

const readMembers =
  <A>(
    readKey: Read<string>,
    readValue: Read<A>
  ): ParseResult.DeclarationDecodeUnknown<Dictionary<A>, never> =>
  (input, options, ast) => {
    if (!Predicate.isRecord(input))
      return ParseResult.fail(
        new ParseResult.Type(ast, input, "Input should be a valid dictionary")
      )
    const issues: Array<ParseResult.ParseIssue> = []
    const members: Array<readonly [string, A]> = []
    for (const [key, member] of Object.entries(input)) {
      const readKeyed = readKey(key)
      const read = readValue(member)
      // WHY: a refused key is no path, because it may be very long.
      if (Either.isLeft(readKeyed)) issues.push(readKeyed.left)
      else if (Either.isLeft(read)) issues.push(new ParseResult.Pointer(key, input, read.left))
      else members.push([key, read.right])
      if (issues.length > 0 && options.errors !== "all") break
    }
    const [first, ...others] = issues
    return first === undefined
      ? ParseResult.succeed(Object.fromEntries(members))
      : ParseResult.fail(new ParseResult.Composite(ast, input, [first, ...others]))
  }

const guardMembers = (isKey: (input: unknown) => boolean, isValue: (input: unknown) => boolean) =>
  SchemaFastPath.guardedBy(
    (input) =>
      Predicate.isRecord(input) &&
      Object.entries(input).every(([key, member]) => isKey(key) && isValue(member))
  )

/** A dictionary; `members` is the JSON Schema of each value. */
export const make = <A, I>(options: {
  readonly key: Schema.Schema<string>
  readonly value: Schema.Schema<A, I>
  readonly members: { readonly [keyword: string]: Json }
}): Schema.Schema<Dictionary<A>, Dictionary<I>> =>
  Schema.declare<Dictionary<A>, Dictionary<I>, []>(
    [],
    {
      decode: () =>
        readMembers(
          ParseResult.decodeUnknownEither(options.key),
          ParseResult.decodeUnknownEither(options.value)
        ),
      encode: () =>
        readMembers(
          ParseResult.encodeUnknownEither(options.key),
          ParseResult.encodeUnknownEither(options.value)
        )
    },
    {
      jsonSchema: { type: "object", additionalProperties: options.members },
      ...guardMembers(SchemaFastPath.make(options.key), SchemaFastPath.make(options.value)),
      ...TextProblems.dictionaryOf(options.value.ast),
      ...JsonScanner.scannedBy(
        JsonScanner.dictionaryOf(JsonScanner.of(options.key), JsonScanner.of(options.value))
      )
    }
  )
