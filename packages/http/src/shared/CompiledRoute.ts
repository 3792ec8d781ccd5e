/**
 * A route with everything that can be prepared once: its handler, its decoders, its encoders.
 *
 * Decoding finds every problem of a part at once and names each field: path parameters and body fields by
 * their own names, query parameters as `query.x`.
 */
import * as FieldErrors from "@attestry/core/FieldErrors"
import * as PlainGuard from "@attestry/core/PlainGuard"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import type * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import type { AnyHandler, BoundGroup } from "./Handlers.js"
import { type BadRequest, invalid } from "./HttpError.js"
import * as JsonText from "./JsonText.js"
import * as Placeholders from "./Placeholders.js"
import * as PlainEncoder from "./PlainEncoder.js"
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
  readonly encoders: ReadonlyMap<number, Encoder>
  /** Whether it answers a list, which goes on without damaged records. */
  readonly isList: boolean
}

const strict = { onExcessProperty: "error", errors: "all" } as const
const lenient = { onExcessProperty: "ignore", errors: "all" } as const

const decoder = (
  schema: Option.Option<Schema.Schema.All>,
  options: SchemaAST.ParseOptions,
  prefix: string
): Decoder | undefined => {
  if (Option.isNone(schema)) return undefined
  // WHY: contract schemas need no services; the endpoint's type has forgotten that.
  const decode = ParseResult.decodeUnknownEither(schema.value as Schema.Schema<unknown>, options)
  // WHY: most paths and bodies are right as they stand, which the guard sees in a fraction of the time.
  const isPlain = PlainGuard.make(schema.value as Schema.Schema<unknown>)
  return (input) =>
    isPlain(input)
      ? Either.right(input)
      : Either.mapLeft(decode(input), (issue) => invalid(FieldErrors.fromParseIssue(issue, prefix)))
}

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
  const encode = PlainEncoder.make(ast)
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
  return {
    route,
    handler,
    isList: Placeholders.isList(route),
    path: storable(decoder(endpoint.pathSchema, strict, "")),
    query: decoder(endpoint.urlParamsSchema, lenient, "query."),
    payload:
      rule.body._tag === "NoBody" || rule.body._tag === "RawBody"
        ? undefined
        : decoder(endpoint.payloadSchema, strict, ""),
    encoders: new Map(
      [...route.successes].flatMap(([status, { ast }]) =>
        Option.isSome(ast) ? [[status, encoder(ast.value)] as const] : []
      )
    )
  }
}

/** The query of a URL as a record; a name that is repeated has a list. */
export const parseQuery = (
  search: string
): Either.Either<{ readonly [name: string]: string | ReadonlyArray<string> }, BadRequest> => {
  const values = new Map<string, string | ReadonlyArray<string>>()
  const errors = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(search)) {
    const before = values.get(name)
    values.set(name, before === undefined ? value : [...[before].flat(), value])
    if (JsonText.isUnstorable(name) || JsonText.isUnstorable(value)) {
      errors.set(`query.${JSON.stringify(name).slice(1, -1)}`, UNSTORABLE)
    }
  }
  return errors.size > 0
    ? Either.left(invalid(Object.fromEntries(errors)))
    : Either.right(Object.fromEntries(values))
}
