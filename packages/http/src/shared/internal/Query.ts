/**
 * Reads the query of a URL by the contract of its operation.
 *
 * A parameter that the operation does not know is refused with the nearest known one: a misspelt filter that is
 * ignored would list everything. DECISIONS.md, "Unknown parameters and fields are refused"
 */
import { type BadRequest, invalid } from "@attestry/api/HttpError"
import * as FieldErrors from "@attestry/core/FieldErrors"
import * as NearestName from "@attestry/core/NearestName"
import { Problems } from "@attestry/core/Problems"
import * as SchemaFastPath from "@attestry/core/SchemaFastPath"
import * as StorableText from "@attestry/core/StorableText"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import type * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"

/** A query has at most this many parameters. */
export const PARAMETERS_MAX = 1_024

/** The known names are listed in an error where they have at most this many characters together. */
const LISTED_LENGTH_MAX = 300

/** The message for a text with a character that stores cannot hold. */
export const UNSTORABLE = "String should not contain NUL [input: …]"

/** The parameters of a query; a repeated name has a list. */
type Parameters = { readonly [name: string]: string | ReadonlyArray<string> }

/** Decodes the text after the `?` of a URL; undefined where the operation has no parameters. */
export type QueryDecoder = (search: string) => Either.Either<unknown, BadRequest>

const ABSENT: ReturnType<QueryDecoder> = Either.right(undefined)

/** The query as a record. */
const parse = (search: string): Either.Either<Parameters, BadRequest> => {
  const values = new Map<string, Array<string>>()
  const problems = new Problems()
  let count = 0
  for (const [name, value] of new URLSearchParams(search)) {
    if (++count > PARAMETERS_MAX)
      return Either.left(
        invalid({ query: `Input should have at most ${PARAMETERS_MAX} parameters [input: …]` })
      )
    const known = values.get(name)
    if (known === undefined) values.set(name, [value])
    else known.push(value)
    if (StorableText.isUnstorable(name) || StorableText.isUnstorable(value))
      problems.add(`query.${JSON.stringify(name).slice(1, -1)}`, UNSTORABLE)
  }
  return problems.size > 0
    ? Either.left(invalid(problems.toFieldErrors()))
    : Either.right(
        Object.fromEntries(
          Array.from(values, ([name, given]) => [
            name,
            given.length === 1 ? (given[0] ?? "") : given
          ])
        )
      )
}

/** The message for an unknown parameter. WHY without its value: a credential may be sent in the wrong place. */
const unknownMessage = (name: string, known: ReadonlyArray<string>): string => {
  if (known.length === 0) return "Query parameter is unknown: this operation has none [input: …]"
  const nearest = NearestName.find(name, known)
  const hint = nearest === undefined ? "" : `; did you mean \`${nearest}\`?`
  const list = known.join(", ")
  const names = list.length > LISTED_LENGTH_MAX ? "" : ` (known: ${list})`
  return `Query parameter is unknown${hint}${names} [input: …]`
}

/** Adds an error for each parameter that is not known, in the order of the query. */
const addUnknown = (problems: Problems, given: Parameters, known: ReadonlyArray<string>): void => {
  for (const name of Object.keys(given)) {
    if (problems.isOver) return
    if (!known.includes(name))
      problems.add(`query.${FieldErrors.printInput(name)}`, unknownMessage(name, known))
  }
}

/**
 * The decoder of an operation; `schema` is undefined where the operation has no parameters. `common` are names that it
 * knows and leaves out, because they are read elsewhere.
 */
export const decoder = (
  schema: Schema.Schema<unknown> | undefined,
  common: ReadonlyArray<string> = []
): QueryDecoder => {
  const own =
    schema === undefined
      ? []
      : SchemaAST.getPropertySignatures(SchemaAST.encodedAST(schema.ast)).map(({ name }) =>
          String(name)
        )
  const known = [...own, ...common]
  const decode =
    schema === undefined
      ? () => Either.right(undefined)
      : ParseResult.decodeUnknownEither(schema, { onExcessProperty: "ignore", errors: "all" })
  const isPlain = schema === undefined ? () => false : SchemaFastPath.make(schema)
  const read = (given: Parameters): ReturnType<QueryDecoder> => {
    const problems = new Problems()
    addUnknown(problems, given, known)
    if (problems.size === 0 && isPlain(given)) return Either.right(given)
    const decoded = decode(given)
    if (Either.isLeft(decoded))
      FieldErrors.addIssue(problems, decoded.left, { prefix: "query.", path: [] })
    else if (problems.size === 0) return Either.right(decoded.right)
    return Either.left(invalid(problems.toFieldErrors()))
  }
  return (search) =>
    search === "" && schema === undefined ? ABSENT : Either.flatMap(parse(search), read)
}
