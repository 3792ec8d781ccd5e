/** The id of a request: the client's `X-Request-ID` where it is valid, and otherwise a generated one. */
import type { IncomingRequest } from "../HttpMessage.js"

const FORM = /^[A-Za-z0-9._-]{1,64}$/

/**
 * Makes the ids of requests. A generated id is the given first id with a counter as its last group: ids are unique
 * and no secret, so a process needs one random id.
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
