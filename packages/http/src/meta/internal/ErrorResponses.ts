/** The error responses of the document, shared by all operations, and which of them an operation has. */
import * as HttpError from "@attestry/api/HttpError"
import { InvalidCredential } from "@attestry/core/ApiKey"
import { IdempotencyKeyReused } from "@attestry/core/IdempotentRequest"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as Option from "effect/Option"
import * as SchemaAST from "effect/SchemaAST"
import { IDEMPOTENCY_KEY } from "../../idempotency/internal/IdempotencyErrors.js"
import { covers } from "../../idempotency/internal/IdempotentWrites.js"
import type { Route } from "../../shared/internal/RouteTable.js"
import { FORBIDDEN, UNAVAILABLE } from "../../shared/internal/WireErrors.js"
import type { Schema } from "./JsonSchema.js"

interface ErrorResponse {
  readonly status: number
  readonly name: string
  readonly description: string
  readonly example: object
  readonly headers?: { readonly [name: string]: Schema }
  readonly applies: (route: Route) => boolean
}

const RETRY_AFTER: Schema = {
  description: "Seconds to wait before the request is repeated",
  schema: { type: "integer", minimum: 1 }
}

const always = (): boolean => true
const namesOrg = ({ endpoint }: Route): boolean =>
  Option.exists(endpoint.urlParamsSchema, ({ ast }) =>
    SchemaAST.getPropertySignatures(ast).some(({ name }) => name === "org")
  )

/** An open operation can refuse too, where its query names an org. */
const canBeForbidden = (route: Route): boolean => route.rule.access !== "open" || namesOrg(route)
const readsBody = ({ rule }: Route): boolean => rule.body._tag !== "NoBody"

/** Whether the operation itself names an error, besides those of the whole contract. */
const names =
  (status: number) =>
  ({ endpoint }: Route): boolean => {
    const { ast } = endpoint.errorSchema
    const errors = SchemaAST.isUnion(ast) ? ast.types : [ast]
    return errors.some((error) => HttpApiSchema.getStatusErrorAST(error) === status)
  }

/** Clients repeat every other write. */
const canConflict = names(HttpError.Conflict.status)
const namesNotFound = names(HttpError.NotFound.status)

/** Whether a request refers to anything but its org, or asks for what an org may not have: only then can it be 404. */
const canBeNotFound = (route: Route): boolean =>
  route.path.replace("/:org", "").includes(":") ||
  route.endpoint.urlParamsSchema._tag === "Some" ||
  route.rule.body._tag !== "NoBody" ||
  namesNotFound(route)

const errorResponses: ReadonlyArray<ErrorResponse> = [
  {
    status: HttpError.BadRequest.status,
    name: "BadRequest",
    description: "The request does not validate; `errors` names each field, where that is known",
    example: {
      message: HttpError.VALIDATION_FAILED,
      errors: { fingerprint: "String should match pattern '^[a-f0-9]{64}$' [input: latest]" }
    },
    applies: always
  },
  {
    status: HttpError.Unauthorized.status,
    name: "Unauthorized",
    description: "The credential is missing or opens nothing",
    example: { message: new InvalidCredential().message },
    headers: {
      "WWW-Authenticate": {
        description: "How to say who calls",
        schema: { type: "string", const: "Bearer" }
      }
    },
    applies: always
  },
  {
    status: HttpError.Forbidden.status,
    name: "Forbidden",
    description:
      "The caller may not do this; an org of others reads the same as one that is not there",
    example: { message: FORBIDDEN },
    applies: canBeForbidden
  },
  {
    status: HttpError.NotFound.status,
    name: "NotFound",
    description: "There is no such thing",
    example: { message: "Flow named 'shop' does not exist for organization 'acme'" },
    applies: canBeNotFound
  },
  {
    status: HttpError.Conflict.status,
    name: "Conflict",
    description: "A lasting conflict: repeating the request will not help",
    example: {
      message: "A control with identifier 'CTL-7' already exists in organization 'acme'"
    },
    applies: canConflict
  },
  {
    status: HttpError.PayloadTooLarge.status,
    name: "PayloadTooLarge",
    description: "The body, or a part of it, is over its limit",
    example: { message: "the body has more than 1048576 bytes" },
    applies: readsBody
  },
  {
    status: HttpError.UnsupportedMediaType.status,
    name: "UnsupportedMediaType",
    description: "The body is in a form that this operation does not read",
    example: { message: "Content-Encoding `gzip` is not read: send the body as it is" },
    applies: readsBody
  },
  {
    status: HttpError.UnprocessableContent.status,
    name: "UnprocessableContent",
    description:
      "The `Idempotency-Key` was used within a day for a request that said something else",
    example: {
      message: new IdempotencyKeyReused().message,
      errors: { [IDEMPOTENCY_KEY]: `${new IdempotencyKeyReused().message} [input: …]` }
    },
    applies: covers
  },
  {
    status: HttpError.TooManyRequests.status,
    name: "TooManyRequests",
    description: "Over a rate limit",
    example: { message: "Too many requests: please slow down" },
    headers: { "Retry-After": RETRY_AFTER },
    applies: always
  },
  {
    status: HttpError.Unavailable.status,
    name: "Unavailable",
    description: "The store cannot answer at the moment; every write may be repeated",
    example: { message: UNAVAILABLE },
    headers: { "Retry-After": RETRY_AFTER },
    applies: always
  }
]

/** The header of every response: an id that a caller can quote to support. */
export const REQUEST_ID: { readonly [name: string]: Schema } = {
  "X-Request-ID": { $ref: "#/components/headers/X-Request-ID" }
}

/** The shared headers of the document. */
export const headers = {
  "X-Request-ID": {
    description: "Tells this request apart in the logs; one that was sent is kept",
    schema: { type: "string" }
  }
}

/** The shared responses of the document, by name. */
export const components = (): { readonly [name: string]: Schema } =>
  Object.fromEntries(
    errorResponses.map(({ name, description, example, headers: own }) => [
      name,
      {
        description,
        headers: { ...REQUEST_ID, ...own },
        content: {
          "application/json": { schema: { $ref: `#/components/schemas/${name}` }, example }
        }
      }
    ])
  )

/** The error responses of an operation, by status. */
export const of = (route: Route): { readonly [status: string]: Schema } =>
  Object.fromEntries(
    errorResponses
      .filter(({ applies }) => applies(route))
      .map(({ status, name }) => [String(status), { $ref: `#/components/responses/${name}` }])
  )
