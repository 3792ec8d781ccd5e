/** What can go wrong between a call and an answer of the API, before it is known which call it was. */
import type * as HttpClientError from "@effect/platform/HttpClientError"
import type { HttpClientResponse } from "@effect/platform/HttpClientResponse"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { ClientErrorReason } from "../ClientError.js"

/** A failure that does not know yet which operation it belongs to. */
export class TransportFailure extends Data.TaggedError("TransportFailure")<{
  readonly reason: ClientErrorReason
  readonly detail: string
  readonly status?: number
  readonly cause?: unknown
}> {}

/** The innermost reason that the platform gives for having no connection. */
const innermost = (cause: unknown): string => {
  if (!(cause instanceof Error)) return ""
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : ""
  return innermost(cause.cause) || cause.message || code
}

/** What it means that the platform could not carry a request or its answer. */
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

/** The message of a refusal, if it has one. */
export const messageOf = (response: HttpClientResponse): Effect.Effect<Option.Option<string>> =>
  response.arrayBuffer.pipe(
    Effect.map((bytes) => decodeMessage(new TextDecoder().decode(bytes))),
    Effect.map(Option.map(({ message }) => message)),
    Effect.orElseSucceed(Option.none<string>)
  )

/** The failure that a refusal is when the contract does not have it. */
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
