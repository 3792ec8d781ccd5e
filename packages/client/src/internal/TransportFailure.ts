/** The errors between a request and a response of the API, without the name of the operation. */
import type * as HttpClientError from "@effect/platform/HttpClientError"
import type { HttpClientResponse } from "@effect/platform/HttpClientResponse"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { ClientErrorReason } from "../ClientError.js"

/** An error without the name of its operation. */
export class TransportFailure extends Data.TaggedError("TransportFailure")<{
  readonly reason: ClientErrorReason
  readonly detail: string
  readonly status?: number
  readonly cause?: unknown
}> {}

/** The root cause of a failed connection. */
const innermost = (cause: unknown): string => {
  if (!(cause instanceof Error)) return ""
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : ""
  return innermost(cause.cause) || cause.message || code
}

/** The error of a failed request or of an unreadable response. */
export const noConnection = (
  error: HttpClientError.HttpClientError
): Effect.Effect<never, TransportFailure> => {
  const why = innermost(error.cause)
  return error._tag === "RequestError" && error.reason !== "Transport"
    ? new TransportFailure({
        reason: "Encode",
        detail: "the base url and the path make no url",
        cause: error.cause
      })
    : new TransportFailure({
        reason: "Connection",
        detail: why === "" ? "no connection" : `no connection: ${why}`,
        cause: error.cause
      })
}

const decodeMessage = Schema.decodeOption(
  Schema.parseJson(Schema.Struct({ message: Schema.String }))
)

/** The message of an error response, if it has one. */
export const messageOf = (response: HttpClientResponse): Effect.Effect<Option.Option<string>> =>
  response.arrayBuffer.pipe(
    Effect.map((bytes) => decodeMessage(new TextDecoder().decode(bytes))),
    Effect.map(Option.map(({ message }) => message)),
    Effect.orElseSucceed(Option.none<string>)
  )

/** The error of a response whose status the contract does not have. */
export const unexpectedStatus = (
  response: HttpClientResponse
): Effect.Effect<never, TransportFailure> =>
  Effect.flatMap(messageOf(response), (message) => {
    const id = response.headers["x-request-id"]
    const said = Option.match(message, { onNone: () => "", onSome: (text) => `: ${text}` })
    return new TransportFailure({
      reason: "Status",
      status: response.status,
      detail: `unexpected status ${response.status}${said}${id === undefined ? "" : ` (request ${id})`}`
    })
  })
