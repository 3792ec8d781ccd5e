/**
 * The contract as a client needs it: what goes into a path is percent-encoded, slashes included, a field
 * that the contract does not have is refused before anything is sent, and lists leave out what is damaged.
 *
 * WHY: the derived client puts path parameters into the address as they are, so a name with `/`, `?` or
 * `#` in it would ask for something else; and it drops unknown fields in silence, which hides misspelt ones.
 */
import { Api } from "@attestry/http/Api"
import { globalValue } from "effect/GlobalValue"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"

type AnySchema = Schema.Schema<unknown, unknown>

/** Texts that no path can carry, encoded or not: they mean "here", "above" or nothing at all. */
const isLost = (text: string): boolean => text === "" || text === "." || text === ".."

const Segments = Schema.transformOrFail(
  Schema.Record({ key: Schema.String, value: Schema.String }),
  Schema.Record({ key: Schema.String, value: Schema.String }),
  {
    strict: true,
    decode: (params) => ParseResult.succeed(params),
    encode: (params, _, ast) => {
      const lost = Object.entries(params).find(([, text]) => isLost(text))
      if (lost !== undefined) {
        const problem = new ParseResult.Type(ast, lost[1], "Input cannot be part of a path")
        return ParseResult.fail(new ParseResult.Pointer(lost[0], params, problem))
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

const encoded = (path: AnySchema): AnySchema => Schema.compose(SEGMENTS, path, { strict: false })

const strict = (schema: AnySchema): AnySchema =>
  schema.annotations({ parseOptions: { onExcessProperty: "error", errors: "all" } })

const isPlaceholder = (item: unknown): boolean =>
  Predicate.isRecord(item) && item.damaged_record === true

const readable = (value: unknown): unknown =>
  Array.isArray(value) ? value.filter((item) => !isPlaceholder(item)) : value

/** Lists as they can be decoded: without the placeholders of records that the server could not read. */
const Readable: AnySchema = Schema.transform(Schema.Unknown, Schema.Unknown, {
  strict: true,
  decode: (answer) => (Predicate.isRecord(answer) ? mapValues(answer, readable) : readable(answer)),
  encode: (answer) => answer
})

const mayHoldLists = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isUnion(ast)
    ? ast.types.every(mayHoldLists)
    : SchemaAST.isTupleType(ast) || SchemaAST.isTypeLiteral(ast)

const withoutPlaceholders = (method: string, success: AnySchema): AnySchema =>
  method === "GET" && mayHoldLists(SchemaAST.encodedAST(success.ast))
    ? Schema.compose(Readable, success, { strict: false })
    : success

/** The same thing with some properties of its own. */
const withOwn = <A extends object>(original: A, own: object): A =>
  Object.assign(Object.create(original), own)

const mapValues = <A>(
  record: { readonly [key: string]: A },
  change: (value: A) => A
): { readonly [key: string]: A } =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))

interface Endpoint {
  readonly method: string
  readonly successSchema: AnySchema
  readonly pathSchema: Option.Option<AnySchema>
  readonly payloadSchema: Option.Option<AnySchema>
  readonly urlParamsSchema: Option.Option<AnySchema>
}

interface Group {
  readonly endpoints: { readonly [name: string]: Endpoint }
}

const sendable = (endpoint: Endpoint): Endpoint =>
  withOwn(endpoint, {
    pathSchema: Option.map(endpoint.pathSchema, encoded),
    payloadSchema: Option.map(endpoint.payloadSchema, strict),
    urlParamsSchema: Option.map(endpoint.urlParamsSchema, strict),
    successSchema: withoutPlaceholders(endpoint.method, endpoint.successSchema)
  })

/** The contract, ready to send; made once, because what is compiled from its schemas is kept by schema. */
export const api: typeof Api = globalValue("@attestry/client/SendableApi", () =>
  withOwn(Api, {
    // WHY: groups and endpoints of every type are treated alike here, as the table that they are.
    groups: mapValues(Api.groups as unknown as { readonly [name: string]: Group }, (group) =>
      withOwn(group, { endpoints: mapValues(group.endpoints, sendable) })
    )
  })
)
