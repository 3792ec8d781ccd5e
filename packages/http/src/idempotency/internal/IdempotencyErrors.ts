/**
 * The error responses for writes under an `Idempotency-Key`. DECISIONS.md, "An idempotency key is claimed and then
 * settled"
 */
import * as HttpError from "@attestry/api/HttpError"
import type {
  IdempotencyKeyReused,
  RequestUnderWay,
  ResponseWithheld
} from "@attestry/core/IdempotentRequest"

/** The header with the key of a write. DECISIONS.md, "Retried writes converge" */
export const IDEMPOTENCY_KEY = "Idempotency-Key"

/** Every error about a key. */
export type IdempotencyError = ResponseWithheld | IdempotencyKeyReused | RequestUnderWay

/** The HTTP error of a domain error. */
export const translate = (error: IdempotencyError): HttpError.HttpError => {
  switch (error._tag) {
    case "IdempotencyKeyReused":
      return new HttpError.UnprocessableContent({
        message: error.message,
        errors: { [IDEMPOTENCY_KEY]: `${error.message}: choose another key for it [input: …]` }
      })
    case "ResponseWithheld":
      return new HttpError.UnprocessableContent({
        message: error.message,
        errors: { [IDEMPOTENCY_KEY]: `${error.message} [input: …]` }
      })
    case "RequestUnderWay":
      return new HttpError.Unavailable({ message: `${error.message}: please try again` })
  }
}
