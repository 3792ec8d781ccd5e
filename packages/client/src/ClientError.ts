/**
 * Why a call has no response of the API: it was not sent, the connection failed, or the response is not one of the
 * contract. Error responses of the API have the classes of `@attestry/api/HttpError`.
 */
import * as Schema from "effect/Schema"

/**
 * The reason: the request does not match the contract and was not sent (`Encode`), there was no response
 * (`Connection`, `Timeout`), or the response has a status or a body that the contract does not have (`Status`,
 * `Decode`).
 */
export const ClientErrorReason = Schema.Literal(
  "Encode",
  "Connection",
  "Timeout",
  "Status",
  "Decode"
)
/** The reason of a `ClientError`. */
export type ClientErrorReason = typeof ClientErrorReason.Type

/**
 * A call without a response of the API. `errors` has the fields of a request that was not sent. The error never
 * contains the key or a body that cannot be decoded.
 */
export class ClientError extends Schema.TaggedError<ClientError>()("ClientError", {
  /** Group and name: `flow.put`. */
  operation: Schema.String,
  reason: ClientErrorReason,
  detail: Schema.String,
  /** The status, where there was a response. */
  status: Schema.NullOr(Schema.Int),
  errors: Schema.NullOr(Schema.Record({ key: Schema.String, value: Schema.String })),
  cause: Schema.optionalWith(Schema.Defect, { exact: true })
}) {
  override get message(): string {
    return `\`${this.operation}\` failed: ${this.detail}`
  }
}
