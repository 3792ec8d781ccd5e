/**
 * A route with what is prepared once: its handler, its decoders and its encoders.
 *
 * Decoding reports every problem of a part by field: path parameters and body fields under their own names, query
 * parameters as `query.x` (`Query`).
 */
import { type BadRequest, invalid } from "@attestry/api/HttpError"
import * as FieldErrors from "@attestry/core/FieldErrors"
import * as SchemaFastPath from "@attestry/core/SchemaFastPath"
import * as Slices from "@attestry/core/Slices"
import * as StorableText from "@attestry/core/StorableText"
import * as TextProblems from "@attestry/core/TextProblems"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import type * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import * as DamagedRecordPlaceholder from "./DamagedRecordPlaceholder.js"
import * as DryRunRequest from "./DryRunRequest.js"
import * as FastEncoder from "./FastEncoder.js"
import type { AnyHandler, BoundGroup } from "./Handlers.js"
import * as Query from "./Query.js"
import type { Params, Route } from "./RouteTable.js"
import * as SlicedEncoder from "./SlicedEncoder.js"

/** Decodes one part of a request. */
export type Decoder = (input: unknown) => Either.Either<unknown, BadRequest>

/** Encodes a value of the contract as the text of a body. */
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
  readonly query: Query.QueryDecoder
  readonly payload: Decoder | undefined
  /** Finds problems in the text of a large body before it is parsed. */
  readonly findProblems: TextProblems.Find | undefined
  readonly encoders: ReadonlyMap<number, Encoder>
  /** Whether the response is a list, which leaves damaged records out. */
  readonly isList: boolean
}

const strict = { onExcessProperty: "error" } as const

/** A schema of the contract. WHY: it requires no services; the type of an endpoint does not say so. */
export const plainSchema = (schema: Schema.Schema.All) => schema as Schema.Schema<unknown>

/** Decodes an input; on an error, `explain` makes the errors by field. */
const decoder = (
  schema: Schema.Schema<unknown>,
  options: SchemaAST.ParseOptions,
  explain: (input: unknown, issue: ParseResult.ParseIssue) => FieldErrors.FieldErrors
): Decoder => {
  const decode = ParseResult.decodeUnknownEither(schema, options)
  // WHY: most paths and bodies are valid and equal to their decoded form; the fast path tests that in less time.
  const isPlain = SchemaFastPath.make(schema)
  return (input) =>
    isPlain(input)
      ? Either.right(input)
      : Either.mapLeft(decode(input), (issue) => invalid(explain(input, issue)))
}

/** Decodes path parameters. */
const parameters = (schema: Option.Option<Schema.Schema.All>): Decoder | undefined =>
  Option.isNone(schema)
    ? undefined
    : decoder(plainSchema(schema.value), { ...strict, errors: "all" }, (_, issue) =>
        FieldErrors.fromParseIssue(issue)
      )

/**
 * Decodes a body. WHY in two passes: decoding with `errors: "all"` has no bound on the number of problems; decoding
 * stops at the first one, and `find` then collects a bounded number.
 */
const body = (schema: Schema.Schema<unknown>, find: TextProblems.Find): Decoder =>
  decoder(schema, strict, (input, issue) => {
    const problems = Slices.runSync(find(JSON.stringify(input) ?? "null"))
    return problems.size === 0 ? FieldErrors.fromParseIssue(issue) : problems.toFieldErrors()
  })

/** Rejects parameters that stores cannot hold, whatever their schemas say. */
const storable = (decode: Decoder | undefined): CompiledRoute["path"] =>
  decode === undefined
    ? undefined
    : (params) => {
        const refused = Object.keys(params).filter((name) =>
          StorableText.isUnstorable(params[name] ?? "")
        )
        return refused.length === 0
          ? decode(params)
          : Either.left(
              invalid(Object.fromEntries(refused.map((name) => [name, Query.UNSTORABLE])))
            )
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

/** The decoder of the query of a route, which includes what every write accepts. */
export const queryOf = (
  route: Pick<Route, "method" | "path" | "endpoint" | "rule">
): Query.QueryDecoder =>
  Query.decoder(
    Option.getOrUndefined(Option.map(route.endpoint.urlParamsSchema, plainSchema)),
    DryRunRequest.covers(route) ? [DryRunRequest.PARAMETER] : []
  )

/** The handler of a route; throws when there is none, which the types of handlers exclude. */
const handlerOf = (route: Route, groups: ReadonlyArray<BoundGroup>): AnyHandler => {
  const handler = groups.find(({ group }) => group === route.group)?.handlers[route.name]
  if (handler === undefined) throw new Error(`no handler for ${route.group}.${route.name}`)
  return handler
}

const prepare = (route: Route, handler: AnyHandler): CompiledRoute => {
  const { endpoint, rule } = route
  const payload =
    rule.body._tag === "NoBody" || rule.body._tag === "RawBody" || rule.body._tag === "FileBody"
      ? undefined
      : Option.getOrUndefined(Option.map(endpoint.payloadSchema, plainSchema))
  const find = payload === undefined ? undefined : TextProblems.make(payload, strict)
  return {
    route,
    handler,
    isList: DamagedRecordPlaceholder.isList(route),
    path: storable(parameters(endpoint.pathSchema)),
    query: queryOf(route),
    payload: payload === undefined || find === undefined ? undefined : body(payload, find),
    findProblems: find,
    encoders: new Map(
      [...route.successes].flatMap(([status, { ast }]) =>
        Option.isSome(ast) ? [[status, encoder(ast.value)] as const] : []
      )
    )
  }
}

/**
 * Compiles each of the routes when it is asked for first; throws at once when one has no handler.
 *
 * WHY not all at once: that takes a fifth of a second, which a server that starts has not got.
 */
export const compiler = (
  routes: ReadonlyArray<Route>,
  groups: ReadonlyArray<BoundGroup>
): ((route: Route) => CompiledRoute | undefined) => {
  const handlers = new Map(routes.map((route) => [route, handlerOf(route, groups)]))
  const compiled = new Map<Route, CompiledRoute>()
  return (route) => {
    const known = compiled.get(route)
    const handler = handlers.get(route)
    if (known !== undefined || handler === undefined) return known
    const made = prepare(route, handler)
    compiled.set(route, made)
    return made
  }
}
