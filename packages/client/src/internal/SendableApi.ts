/**
 * The contract for clients, one operation at a time: path parameters are percent-encoded, slashes included, unknown
 * fields are errors before a request is sent, lists leave damaged records out, instants are `DateTime.Utc`, a snapshot
 * expression is a text, and a write that answers a word may answer its effect.
 *
 * WHY: the library's client puts path parameters into the URL without encoding, so a name with `/`, `?` or `#` would
 * address another resource; and it drops unknown fields, which hides misspelt ones.
 */
import { Api } from "@attestry/api/Api"
import { WriteResult } from "@attestry/api/WriteResult"
import * as SnapshotExpression from "@attestry/core/SnapshotExpression"
import * as HttpApi from "@effect/platform/HttpApi"
import type * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as Either from "effect/Either"
import { globalValue } from "effect/GlobalValue"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as Instants from "./Instants.js"

type AnySchema = Schema.Schema<unknown, unknown>

/** Whether a path cannot contain a text as a segment, encoded or not. */
const isNoSegment = (text: string): boolean => text === "" || text === "." || text === ".."

const Segments = Schema.transformOrFail(
  Schema.Record({ key: Schema.String, value: Schema.String }),
  Schema.Record({ key: Schema.String, value: Schema.String }),
  {
    strict: true,
    decode: (params) => ParseResult.succeed(params),
    encode: (params, _, ast) => {
      const invalid = Object.entries(params).find(([, text]) => isNoSegment(text))
      if (invalid !== undefined) {
        const problem = new ParseResult.Type(ast, invalid[1], "Input cannot be part of a path")
        return ParseResult.fail(new ParseResult.Pointer(invalid[0], params, problem))
      }
      return ParseResult.succeed(
        Object.fromEntries(
          Object.entries(params).map(([name, text]) => [name, encodeURIComponent(text)])
        )
      )
    }
  }
)

const SEGMENTS: AnySchema = Schema.make(Segments.ast)

/** The text of a snapshot expression: checked as the contract reads it, and sent as it was given. */
const ExpressionText = Schema.String.pipe(
  Schema.filter((text) =>
    Either.match(Schema.decodeEither(SnapshotExpression.FromText)(text), {
      onLeft: ({ issue }) => issue,
      onRight: () => undefined
    })
  )
)

const withTexts = (path: AnySchema): AnySchema => {
  if (!SchemaAST.isTypeLiteral(path.ast)) return path
  const signatures = path.ast.propertySignatures.map((each) =>
    each.name === "snapshot_expression"
      ? new SchemaAST.PropertySignature(each.name, ExpressionText.ast, false, true)
      : each
  )
  return Schema.make(new SchemaAST.TypeLiteral(signatures, path.ast.indexSignatures))
}

const encoded = (path: AnySchema): AnySchema => Schema.compose(SEGMENTS, path, { strict: false })

const strict = (schema: AnySchema): AnySchema =>
  schema.annotations({ parseOptions: { onExcessProperty: "error", errors: "all" } })

const isPlaceholder = (item: unknown): boolean =>
  Predicate.isRecord(item) && item.damaged_record === true

const readable = (value: unknown): unknown =>
  Array.isArray(value) ? value.filter((item) => !isPlaceholder(item)) : value

/** Removes the placeholders of damaged records from lists. */
const Readable: AnySchema = Schema.transform(Schema.Unknown, Schema.Unknown, {
  strict: true,
  decode: (body) => (Predicate.isRecord(body) ? mapValues(body, readable) : readable(body)),
  encode: (body) => body
})

const mayHoldLists = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isUnion(ast)
    ? ast.types.every(mayHoldLists)
    : SchemaAST.isTupleType(ast) || SchemaAST.isTypeLiteral(ast)

const withoutPlaceholders = (method: string, success: AnySchema): AnySchema =>
  method === "GET" && mayHoldLists(SchemaAST.encodedAST(success.ast))
    ? Schema.compose(Readable, success, { strict: false })
    : success

/** An answer with `DateTime.Utc`, under the status that it has in the contract. */
const withUtc = (success: AnySchema): AnySchema => {
  const { ast } = success
  if (
    SchemaAST.isUnion(ast) &&
    ast.types.some((type) => HttpApiSchema.AnnotationStatus in type.annotations)
  ) {
    const types = ast.types.map((type) => withUtc(Schema.make(type)).ast)
    return Schema.make(SchemaAST.Union.make(types, ast.annotations))
  }
  const status = ast.annotations[HttpApiSchema.AnnotationStatus]
  const own = Instants.asUtc(success)
  return status === undefined
    ? own
    : Schema.make(SchemaAST.annotations(own.ast, { [HttpApiSchema.AnnotationStatus]: status }))
}

const isWord = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isUnion(ast) ? ast.types.every(isWord) : SchemaAST.isLiteral(ast)

/** The answers of a write under either preference, with the status of the word. */
const withResult = (method: string, success: AnySchema): AnySchema => {
  const { ast } = success
  if (method === "GET" || !isWord(ast)) return success
  const words = SchemaAST.isUnion(ast) ? ast.types : [ast]
  const results = words.map((word) => {
    const status = word.annotations[HttpApiSchema.AnnotationStatus]
    return status === undefined
      ? WriteResult.ast
      : SchemaAST.annotations(WriteResult.ast, { [HttpApiSchema.AnnotationStatus]: status })
  })
  return Schema.make(SchemaAST.Union.make([...words, ...results]))
}

/** A copy with some properties replaced. */
const withOwn = <A extends object>(original: A, own: object): A =>
  Object.assign(Object.create(original), own)

const mapValues = <A>(
  record: { readonly [key: string]: A },
  change: (value: A) => A
): { readonly [key: string]: A } =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))

type Endpoint = HttpApiEndpoint.HttpApiEndpoint<
  string,
  HttpApiEndpoint.HttpApiEndpoint.AnyWithProps["method"]
>

const anySchema = ({ ast }: { readonly ast: SchemaAST.AST }): AnySchema => Schema.make(ast)

const sendable = (endpoint: Endpoint): Endpoint =>
  withOwn(endpoint, {
    pathSchema: Option.map(endpoint.pathSchema, (path) => encoded(withTexts(anySchema(path)))),
    payloadSchema: Option.map(endpoint.payloadSchema, (payload) => strict(anySchema(payload))),
    urlParamsSchema: Option.map(endpoint.urlParamsSchema, (query) =>
      strict(Instants.asUtc(anySchema(query)))
    ),
    successSchema: withResult(
      endpoint.method,
      withoutPlaceholders(endpoint.method, withUtc(anySchema(endpoint.successSchema)))
    )
  })

/** The contract with one operation, ready to send. */
const made = (groupName: string, endpointName: string): typeof Api => {
  const groups: Array<readonly [string, object]> = []
  HttpApi.reflect(Api, {
    predicate: ({ endpoint, group }) =>
      group.identifier === groupName && endpoint.name === endpointName,
    onGroup: () => {},
    onEndpoint: ({ group, endpoint }) => {
      const endpoints = { [endpoint.name]: sendable(endpoint) }
      groups.push([group.identifier, withOwn(group, { endpoints })])
    }
  })
  return withOwn(Api, { groups: Object.fromEntries(groups) })
}

const MADE = globalValue("@attestry/client/SendableApi", () => new Map<string, typeof Api>())

/** The contract with one operation; made once for a process, because the library compiles each schema once. */
export const only = (group: string, endpoint: string): typeof Api => {
  const name = `${group}.${endpoint}`
  const known = MADE.get(name) ?? made(group, endpoint)
  MADE.set(name, known)
  return known
}
