/** Parameters about components: package URLs and ranges of versions. */
import * as Purl from "@attestry/core/Purl"
import * as VersionRange from "@attestry/core/VersionRange"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"

/** A text that a parser takes. WHY a transformation: a refusal has a sentence of its own instead of a pattern. */
const parsed = (parse: (text: string) => Either.Either<unknown, Error>, max: number) =>
  Schema.transformOrFail(Schema.String, Schema.String, {
    strict: true,
    decode: (text, _, ast) =>
      Either.match(parse(text), {
        onLeft: ({ message }) => ParseResult.fail(new ParseResult.Type(ast, text, message)),
        onRight: () => ParseResult.succeed(text)
      }),
    encode: (text) => ParseResult.succeed(text)
  }).annotations({ jsonSchema: { type: "string", minLength: 1, maxLength: max } })

/** A package URL, as its text. */
export const purl = parsed(Purl.parse, Purl.CHARACTERS_MAX).annotations({
  jsonSchema: {
    type: "string",
    minLength: 1,
    maxLength: Purl.CHARACTERS_MAX,
    examples: ["pkg:npm/lodash@4.17.20"]
  }
})

/** A range of versions, as its text. */
export const versions = parsed(VersionRange.parse, VersionRange.CHARACTERS_MAX).annotations({
  jsonSchema: {
    type: "string",
    minLength: 1,
    maxLength: VersionRange.CHARACTERS_MAX,
    examples: [">=1.2.0 <1.4.3"]
  }
})
