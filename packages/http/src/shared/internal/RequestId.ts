/** The id of a request: the caller's `X-Request-ID` where it is one, and otherwise one of ours. */
import type { IncomingRequest } from "../HttpMessage.js"

const FORM = /^[A-Za-z0-9._-]{1,64}$/

/**
 * Names requests. Ids of ours have the form of all others, of which only the last group moves: they tell requests
 * apart and keep no secret, so one draw of randomness serves a whole process.
 */
export const make = (first: string): ((request: IncomingRequest) => string) => {
  const prefix = first.slice(0, first.lastIndexOf("-") + 1)
  let count = 0
  return (request) => {
    const given = request.headers("x-request-id")[0] ?? ""
    if (FORM.test(given)) return given
    count = (count + 1) >>> 0
    return prefix + count.toString(16).padStart(8, "0")
  }
}
