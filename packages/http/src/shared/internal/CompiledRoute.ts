/**
 * A route with everything that can be prepared once: its handler, its decoders, its encoders.
 *
 * Decoding finds every problem of a part at once and names each field: path parameters and body fields by
 * their own names, query parameters as `query.x`.
 */
import * as FieldErrors from "@attestry/core/FieldErrors"
import { Problems } from "@attestry/core/Problems"
import * as SchemaFastPath from "@attestry/core/SchemaFastPath"
import * as TextProblems from "@attestry/core/TextProblems"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import type * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import { type BadRequest, invalid } from "../HttpError.js"
import * as DamagedRecordPlaceholder from "./DamagedRecordPlaceholder.js"
import * as FastEncoder from "./FastEncoder.js"
import type { AnyHandler, BoundGroup } from "./Handlers.js"
import { atOnce } from "./InTurns.js"
import * as JsonText from "./JsonText.js"
import type { Params, Route } from "./RouteTable.js"
import * as SlicedEncoder from "./SlicedEncoder.js"

/** Turns one part of a request into its typed value. */
export type Decoder = (input: unknown) => Either.Either<unknown, BadRequest>

/** Turns a value of the contract into the text of a body. */
export interface Encoder {
  readonly contentType: string
  readonly encode: (value: unknown) => string
  /** For values with long lists; see `SlicedEncoder`. */
  readonly encodeInSlices: SlicedEncoder.SlicedEncoder | undefined
}

/** A route, ready to serve. */
export interface CompiledRoute {
  readonly route: Route
  readonly handler: AnyHandler
  readonly path: ((params: Params) => ReturnType<Decoder>) | undefined
  readonly query: Decoder | undefined
  readonly payload: Decoder | undefined
  /** What is wrong with the text of a large body, found before it is parsed. */
  readonly findProblems: TextProblems.Find | undefined
  readonly encoders: ReadonlyMap<number, Encoder>
  /** Whether it answers a list, which goes on without damaged records. */
  readonly isList: boolean
}

const strict = { onExcessProperty: "error" } as const
const lenient = { onExcessProperty: "ignore", errors: "all" } as const

/** WHY: contract schemas need no services; the endpoint's type has forgotten that. */
const plainSchema = (schema: Schema.Schema.All) => schema as Schema.Schema<unknown>

/** Decodes what is right, and passes what is wrong to the search for problems. */
const decoder = (
  schema: Schema.Schema<unknown>,
  options: SchemaAST.ParseOptions,
  explain: (input: unknown, issue: ParseResult.ParseIssue) => FieldErrors.FieldErrors
): Decoder => {
  const decode = ParseResult.decodeUnknownEither(schema, options)
  // WHY: most paths and bodies are right as they stand, which the guard sees in a fraction of the time.
  const isPlain = SchemaFastPath.make(schema)
  return (input) =>
    isPlain(input)
      ? Either.right(input)
      : Either.mapLeft(decode(input), (issue) => invalid(explain(input, issue)))
}

/** Decodes parameters, of which a request has few. */
const parameters = (
  schema: Option.Option<Schema.Schema.All>,
  options: SchemaAST.ParseOptions,
  prefix: string
): Decoder | undefined =>
  Option.isNone(schema)
    ? undefined
    : decoder(plainSchema(schema.value), options, (_, issue) =>
        FieldErrors.fromParseIssue(issue, prefix)
      )

/**
 * Decodes a body. WHY twice: to decode on after the first problem would collect them all, however many; the
 * search that follows one ends with the last that is told.
 */
const body = (schema: Schema.Schema<unknown>, find: TextProblems.Find): Decoder =>
  decoder(schema, strict, (input, issue) => {
    const problems = atOnce(find(JSON.stringify(input) ?? "null"))
    return problems.size === 0 ? FieldErrors.fromParseIssue(issue) : problems.toFieldErrors()
  })

/** What a text is told that holds what no store can keep. */
const UNSTORABLE = "String should not contain NUL [input: …]"

/** Refuses parameters that no store can keep, whatever their schemas say. */
const storable = (decode: Decoder | undefined): CompiledRoute["path"] =>
  decode === undefined
    ? undefined
    : (params) => {
        const refused = Object.keys(params).filter((name) =>
          JsonText.isUnstorable(params[name] ?? "")
        )
        return refused.length === 0
          ? decode(params)
          : Either.left(invalid(Object.fromEntries(refused.map((name) => [name, UNSTORABLE]))))
      }

const encoder = (ast: SchemaAST.AST): Encoder => {
  const encoding = HttpApiSchema.getEncoding(ast)
  const encode = FastEncoder.make(ast)
  return {
    contentType: encoding.contentType,
    encode:
      encoding.kind === "Json"
        ? (value) => JSON.stringify(encode(value))
        : (value) => String(encode(value)),
    encodeInSlices: encoding.kind === "Json" ? SlicedEncoder.make(ast) : undefined
  }
}

/** Prepares a route; throws when the handlers lack it, which their type does not allow. */
export const compile = (route: Route, groups: ReadonlyArray<BoundGroup>): CompiledRoute => {
  const handler = groups.find(({ group }) => group === route.group)?.handlers[route.name]
  if (handler === undefined) throw new Error(`no handler for ${route.group}.${route.name}`)
  const { endpoint, rule } = route
  const payload =
    rule.body._tag === "NoBody" || rule.body._tag === "RawBody"
      ? undefined
      : Option.getOrUndefined(Option.map(endpoint.payloadSchema, plainSchema))
  const find = payload === undefined ? undefined : TextProblems.make(payload, strict)
  return {
    route,
    handler,
    isList: DamagedRecordPlaceholder.isList(route),
    path: storable(parameters(endpoint.pathSchema, { ...strict, errors: "all" }, "")),
    query: parameters(endpoint.urlParamsSchema, lenient, "query."),
    payload: payload === undefined || find === undefined ? undefined : body(payload, find),
    findProblems: find,
    encoders: new Map(
      [...route.successes].flatMap(([status, { ast }]) =>
        Option.isSome(ast) ? [[status, encoder(ast.value)] as const] : []
      )
    )
  }
}

/** A query has at most this many parameters. DECISION B-150 */
export const PARAMETERS_MAX = 1_000

/** The query of a URL as a record; a name that is repeated has a list. */
export const parseQuery = (
  search: string
): Either.Either<{ readonly [name: string]: string | ReadonlyArray<string> }, BadRequest> => {
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
    if (JsonText.isUnstorable(name) || JsonText.isUnstorable(value))
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
