/**
 * Why a call has no answer of the API: it could not be sent, got through to nobody, or what came back is
 * not ours. What the API itself refuses keeps the classes of `@attestry/http/HttpError`.
 */
import * as Schema from "effect/Schema"

/**
 * What went wrong: the request does not fit the contract and was not sent (`Encode`), nobody answered
 * (`Connection`, `Timeout`), somebody answered with a status or a body that the contract lacks (`Status`,
 * `Decode`).
 */
export const ClientErrorReason = Schema.Literal(
  "Encode",
  "Connection",
  "Timeout",
  "Status",
  "Decode"
)
/** What went wrong. */
export type ClientErrorReason = typeof ClientErrorReason.Type

/**
 * A call without an answer of the API. `errors` names the fields of a request that was not sent. The key
 * is never in here, nor a body that could not be read.
 */
export class ClientError extends Schema.TaggedError<ClientError>()("ClientError", {
  /** Group and name: `flow.put`. */
  operation: Schema.String,
  reason: ClientErrorReason,
  detail: Schema.String,
  /** The status, where somebody answered. */
  status: Schema.NullOr(Schema.Int),
  errors: Schema.NullOr(Schema.Record({ key: Schema.String, value: Schema.String })),
  cause: Schema.optionalWith(Schema.Defect, { exact: true })
}) {
  override get message(): string {
    return `\`${this.operation}\` failed: ${this.detail}`
  }
}
