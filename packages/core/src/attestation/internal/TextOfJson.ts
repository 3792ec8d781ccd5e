/** Data of an attestation that some clients send as the text of a JSON object or array. SPEC §4.8 */
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as JsonText from "../../shared/JsonText.js"
import * as SchemaFastPath from "../../shared/SchemaFastPath.js"

const isJson = (text: string): boolean =>
  /^\s*[[{]/.test(text) && Either.isRight(Either.try(() => JSON.parse(text)))

/** The value of such a text; any other text stays as it is. A text that breaks a limit of JSON has its problem. */
const read = (text: string): Either.Either<unknown, string> =>
  isJson(text)
    ? Either.mapLeft(
        JsonText.parse(text),
        (errors) => Object.values(errors)[0]?.replace(/ \[input: .*$/s, "") ?? ""
      )
    : Either.right(text)

/** A schema whose input may also be the text of its JSON. */
export const orText = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = ParseResult.decodeUnknown(Schema.typeSchema(schema))
  const fits = SchemaFastPath.make(schema)
  return Schema.transformOrFail(Schema.Union(schema, Schema.String), Schema.typeSchema(schema), {
    strict: true,
    decode: (given, options, ast) =>
      Either.match(typeof given === "string" ? read(given) : Either.right(given), {
        onLeft: (message) => ParseResult.fail(new ParseResult.Type(ast, given, message)),
        onRight: (value) => decode(value, options)
      }),
    encode: (value) => ParseResult.succeed(value)
  }).annotations(SchemaFastPath.guardedBy((input) => typeof input !== "string" && fits(input)))
}
