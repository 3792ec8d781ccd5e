/** How a write under an `Idempotency-Key` is refused on the wire. DECISION B-107, B-109 */
import type {
  IdempotencyKeyReused,
  RequestUnderWay,
  ResponseWithheld
} from "@attestry/core/IdempotentRequest"
import * as HttpError from "./HttpError.js"

/** The header that names one write, so that its repetitions can be told. DECISION A-20 */
export const IDEMPOTENCY_KEY = "Idempotency-Key"

/** Every reason that a key gives not to carry a write out. */
export type KeyError = ResponseWithheld | IdempotencyKeyReused | RequestUnderWay

/** The failure on the wire. */
export const translate = (error: KeyError): HttpError.HttpError => {
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
      return new HttpError.Unavailable({
        message: `${error.message}: please try again`,
        cause: error
      })
  }
}
