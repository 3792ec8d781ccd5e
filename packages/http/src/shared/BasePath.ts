/**
 * Serves the API below a path of a host, such as `/attestry`: requests arrive with it, and the API does not see it.
 *
 * Links in answers come from `PublicUrl`, which the host sets to the address with that path.
 */
import * as Effect from "effect/Effect"
import type { Dispatch, IncomingRequest, OutgoingResponse } from "./HttpMessage.js"

const outside = (base: string): OutgoingResponse => ({
  status: 404,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ message: `Not Found: everything here is below \`${base}\`` })
})

/** Probes are served with and without the path, because what runs a server does not know where it is mounted. */
const PROBES = new Set(["/live", "/ready"])

/** The address below a path; undefined for one that is not below it. */
export const strip = (url: string, base: string): string | undefined => {
  if (!url.startsWith(base)) return undefined
  const rest = url.slice(base.length)
  if (rest === "" || rest.startsWith("?")) return `/${rest}`
  return rest.startsWith("/") ? rest : undefined
}

const withUrl = (request: IncomingRequest, url: string): IncomingRequest => ({
  method: request.method,
  url,
  headers: request.headers,
  remoteAddress: request.remoteAddress,
  body: request.body,
  ...(request.collect === undefined ? {} : { collect: request.collect })
})

/** A path without a slash at its end; `/` is none. */
const normal = (path: string): string => path.replace(/\/+$/, "")

/** The same API below a path. */
export const under = (dispatch: Dispatch, path: string): Dispatch => {
  const base = normal(path)
  if (base === "") return dispatch
  return (request) => {
    if (PROBES.has(request.url)) return dispatch(request)
    const url = strip(request.url, base)
    return url === undefined ? Effect.succeed(outside(base)) : dispatch(withUrl(request, url))
  }
}
