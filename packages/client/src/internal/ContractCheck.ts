/** Checks requests and answers of the Promise client by the schemas of the contract; loaded on demand. */
import * as Cursor from "@attestry/api/Cursor"
import * as FieldErrors from "@attestry/core/FieldErrors"
import * as HttpApi from "@effect/platform/HttpApi"
import * as DateTime from "effect/DateTime"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { ParseError } from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type { AST } from "effect/SchemaAST"
import { clientError } from "../AttestryError.js"
import type { PlainOperation, PlainRequest } from "./PlainOperation.js"
import * as SendableApi from "./SendableApi.js"

type AnySchema = Schema.Schema<unknown, unknown>

interface Schemas {
  readonly path: AnySchema | undefined
  readonly urlParams: AnySchema | undefined
  readonly payload: AnySchema | undefined
  readonly success: AnySchema
}

const schemaOf = ({ ast }: { readonly ast: AST }): AnySchema => Schema.make(ast)

const optionalOf = (schema: Option.Option<{ readonly ast: AST }>): AnySchema | undefined =>
  Option.getOrUndefined(Option.map(schema, schemaOf))

const read = (name: string): Schemas | undefined => {
  const [group = "", operation = ""] = name.split(".")
  const found: Array<Schemas> = []
  HttpApi.reflect(SendableApi.only(group, operation), {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      found.push({
        path: optionalOf(endpoint.pathSchema),
        urlParams: optionalOf(endpoint.urlParamsSchema),
        payload: optionalOf(endpoint.payloadSchema),
        success: schemaOf(endpoint.successSchema)
      })
    }
  })
  return found[0]
}

/** A parameter as the contract has it: a date is an instant, and a cursor is a place. */
const parameter = (name: string, value: unknown): unknown => {
  if (value instanceof Date) return DateTime.unsafeFromDate(value)
  return name === "after" && typeof value === "string" ? (Cursor.parse(value) ?? value) : value
}

const refused = (operation: PlainOperation, { issue }: ParseError) => {
  const errors = FieldErrors.fromParseIssue(issue)
  const fields = Object.entries(errors).map(([field, message]) => `${field}: ${message}`)
  const detail = `the request does not fit the contract: ${fields.join("; ")}`
  return clientError(operation.name, { reason: "Encode", detail, errors })
}

const encode = (operation: PlainOperation, schema: AnySchema | undefined, value: unknown): void => {
  if (schema === undefined) return
  const result = Schema.encodeUnknownEither(schema)(value)
  if (Either.isLeft(result)) throw refused(operation, result.left)
}

/** Throws for a request that does not match the contract. */
export const request = (operation: PlainOperation, asked: PlainRequest): void => {
  const schemas = read(operation.name)
  if (schemas === undefined) return
  encode(operation, schemas.path, asked.path ?? {})
  encode(
    operation,
    schemas.urlParams,
    Object.fromEntries(
      Object.entries(asked.urlParams ?? {}).map(([name, value]) => [name, parameter(name, value)])
    )
  )
  encode(operation, schemas.payload, asked.payload)
}

/** Throws for an answer that does not match the contract; the error does not contain the answer. */
export const answer = (operation: PlainOperation, status: number, body: unknown): void => {
  const schema = read(operation.name)?.success
  if (schema === undefined) return
  const result = Schema.decodeUnknownEither(schema)(body)
  if (Either.isRight(result)) return
  const fields = Object.keys(FieldErrors.fromParseIssue(result.left.issue)).join(", ")
  const detail = `the answer does not fit the contract at ${fields}`
  throw clientError(operation.name, { reason: "Decode", status, detail })
}
