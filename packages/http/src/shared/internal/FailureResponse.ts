/** The response of an HTTP error: status, headers and body. SPEC §7 */
import * as HttpError from "@attestry/api/HttpError"
import type { OutgoingResponse } from "../HttpMessage.js"
import { HANDED_ON } from "../Reader.js"

/** The `Retry-After` of 503, unless the error has one. */
const RETRY_AFTER_SECONDS = 1

/** The header of every JSON response. */
export const JSON_TYPE = { "content-type": "application/json" }

const headersOf = (error: HttpError.HttpError): { readonly [name: string]: string } => {
  switch (error._tag) {
    case "Unauthorized":
      return {
        ...JSON_TYPE,
        "www-authenticate": error.challenge === undefined ? "Bearer" : `Bearer ${error.challenge}`
      }
    case "Forbidden":
      return error.proposals === undefined
        ? JSON_TYPE
        : { ...JSON_TYPE, link: `<${error.proposals}>; rel="proposal"` }
    case "TooManyRequests":
      return { ...JSON_TYPE, "retry-after": String(error.retryAfterSeconds) }
    case "Unavailable":
      return {
        ...JSON_TYPE,
        "retry-after": String(error.retryAfterSeconds ?? RETRY_AFTER_SECONDS),
        ...(error.handedOn === undefined ? {} : { [HANDED_ON]: "1" })
      }
    default:
      return JSON_TYPE
  }
}

const bodyOf = (error: HttpError.HttpError): object => {
  switch (error._tag) {
    case "BadRequest":
    case "UnprocessableContent":
      return { message: error.message, errors: error.errors }
    case "Conflict":
      return { message: error.message, accepted_by_new_only: error.accepted_by_new_only }
    case "Unavailable":
      return { message: error.message, details: error.details }
    default:
      return { message: error.message }
  }
}

/** The response of an error. */
export const make = (error: HttpError.HttpError): OutgoingResponse => ({
  status: HttpError.statusOf(error),
  headers: headersOf(error),
  body: JSON.stringify(bodyOf(error))
})

/** 405, with the methods of the path. */
export const wrongMethod = (method: string, allowed: ReadonlyArray<string>): OutgoingResponse => {
  const error = new HttpError.MethodNotAllowed({
    message: `${method} is not allowed here: use ${allowed.join(", ")}`
  })
  const response = make(error)
  return { ...response, headers: { ...response.headers, allow: allowed.join(", ") } }
}
