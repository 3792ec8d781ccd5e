/** Gives every failure of a derived operation the class that callers see. */
import * as FieldErrors from "@attestry/core/FieldErrors"
import type { Conflict } from "@attestry/http/HttpError"
import type { HttpApiDecodeError } from "@effect/platform/HttpApiError"
import type { HttpClientError } from "@effect/platform/HttpClientError"
import * as Effect from "effect/Effect"
import * as ParseResult from "effect/ParseResult"
import type { WireError } from "../Client.js"
import { ClientError } from "../ClientError.js"
import * as Idempotency from "../Idempotency.js"
import { noConnection, TransportFailure, unexpectedStatus } from "./TransportFailure.js"

/** An answer of the right status whose body is something else; its content stays out of the error. */
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

/** What a derived operation fails with; some operations add refusals of their own. */
export type DerivedError =
  | WireError
  | Conflict
  | TransportFailure
  | HttpApiDecodeError
  | HttpClientError
  | ParseResult.ParseError

/** An operation as it is derived from the contract. */
export type DerivedCall = (request: never) => Effect.Effect<unknown, DerivedError>

/** The operation, which needs no query where all of it may be left out, failing as callers know it. */
export const translate =
  (operation: string, call: DerivedCall) =>
  (request: never): Effect.Effect<unknown, WireError | Conflict | ClientError> =>
    Idempotency.keyed(operation, call(Object.assign({ urlParams: {} }, request))).pipe(
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
