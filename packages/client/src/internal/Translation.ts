/** Translates every error of an operation of the library's client to the class that callers see. */
import type { Conflict } from "@attestry/api/HttpError"
import * as FieldErrors from "@attestry/core/FieldErrors"
import type { HttpApiDecodeError } from "@effect/platform/HttpApiError"
import type { HttpClientError } from "@effect/platform/HttpClientError"
import * as Effect from "effect/Effect"
import * as ParseResult from "effect/ParseResult"
import type { WireError } from "../Calls.js"
import { ClientError } from "../ClientError.js"
import * as Idempotency from "../Idempotency.js"
import { noConnection, TransportFailure, unexpectedStatus } from "./TransportFailure.js"

/** A response whose body does not match the contract; the error does not contain the body. */
export const undecodable = (error: unknown): unknown =>
  ParseResult.isParseError(error)
    ? new TransportFailure({
        reason: "Decode",
        detail: `the answer does not fit the contract at ${Object.keys(
          FieldErrors.fromParseIssue(error.issue)
        ).join(", ")}`
      })
    : error

const unsendable = (operation: string, { issue }: ParseResult.ParseError): ClientError => {
  const errors = FieldErrors.fromParseIssue(issue)
  const fields = Object.entries(errors).map(([field, message]) => `${field}: ${message}`)
  return new ClientError({
    operation,
    reason: "Encode",
    detail: `the request does not fit the contract: ${fields.join("; ")}`,
    status: null,
    errors
  })
}

const clientError = (operation: string, failure: TransportFailure): ClientError =>
  new ClientError({
    operation,
    reason: failure.reason,
    detail: failure.detail,
    status: failure.status ?? null,
    errors: null,
    ...(failure.cause === undefined ? {} : { cause: failure.cause })
  })

/** The errors of an operation of the library's client; some operations add errors of their own. */
export type DerivedError =
  | WireError
  | Conflict
  | TransportFailure
  | HttpApiDecodeError
  | HttpClientError
  | ParseResult.ParseError

/** An operation of the library's client. */
export type DerivedCall = (request: never) => Effect.Effect<unknown, DerivedError>

interface AnyRequest {
  readonly path?: object
}

/** The request with the org of the client where it names none, and with an empty query where it has none. */
const completed = (org: string | undefined, request: AnyRequest): never =>
  // WHY: absent parts are optional by the types of calls, and required by those of the library.
  ({
    urlParams: {},
    ...request,
    path: { ...(org === undefined ? {} : { org }), ...request.path }
  }) as never

/** The operation with a default org, an optional query, and translated errors. */
export const translate =
  (org: string | undefined) =>
  (operation: string, call: DerivedCall) =>
  (request: AnyRequest = {}): Effect.Effect<unknown, WireError | Conflict | ClientError> =>
    Idempotency.keyed(operation, call(completed(org, request))).pipe(
      Effect.catchTags({
        ResponseError: ({ response }) => unexpectedStatus(response),
        RequestError: noConnection,
        HttpApiDecodeError: () =>
          new TransportFailure({
            reason: "Decode",
            detail: "the answer is no refusal of this api"
          })
      }),
      Effect.catchTags({
        ParseError: (error) => unsendable(operation, error),
        TransportFailure: (failure) => clientError(operation, failure)
      })
    )
