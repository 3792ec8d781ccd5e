/**
 * Lets pages of other origins call the API from a browser. Off unless a host asks for it.
 *
 * Requests carry their key in the `Authorization` header, so cookies are not allowed: a page needs a key of its own.
 */
import * as Effect from "effect/Effect"
import type { Dispatch, IncomingRequest, OutgoingResponse } from "./HttpMessage.js"

/** Origins such as `https://app.example.com`; `*` is every origin. */
export type Origins = ReadonlyArray<string>

/** How long a browser may remember an answer about an origin, in seconds. */
const MAX_AGE = "7200"

const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE"

const REQUEST_HEADERS =
  "attestry-after, authorization, content-type, idempotency-key, prefer, x-beta-features"

const EXPOSED = [
  "attestry-entries",
  "attestry-view",
  "deprecation",
  "link",
  "idempotency-replayed",
  "location",
  "preference-applied",
  "retry-after",
  "x-current-page",
  "x-dry-run",
  "x-per-page",
  "x-request-id",
  "x-total-count",
  "x-total-pages"
].join(", ")

const allowed = (origins: Origins, origin: string): string | undefined =>
  origins.includes("*") ? "*" : origins.find((each) => each.toLowerCase() === origin.toLowerCase())

const isPreflight = ({ method, headers }: IncomingRequest): boolean =>
  method === "OPTIONS" && headers("access-control-request-method").length > 0

const preflight = (origin: string): OutgoingResponse => ({
  // WHY not 204: the standard gives a `Response` of that status no body at all, not even an empty one.
  status: 200,
  headers: {
    "access-control-allow-origin": origin,
    "access-control-allow-methods": METHODS,
    "access-control-allow-headers": REQUEST_HEADERS,
    "access-control-max-age": MAX_AGE,
    vary: "origin"
  },
  body: ""
})

const answered = (response: OutgoingResponse, origin: string): OutgoingResponse => ({
  ...response,
  headers: {
    ...response.headers,
    "access-control-allow-origin": origin,
    "access-control-expose-headers": EXPOSED,
    vary: "origin"
  }
})

/** The same API, with what browsers ask for where the origin is one of these; without origins nothing changes. */
export const allow = (dispatch: Dispatch, origins: Origins): Dispatch =>
  origins.length === 0
    ? dispatch
    : (request) => {
        const [origin] = request.headers("origin")
        const permitted = origin === undefined ? undefined : allowed(origins, origin)
        if (permitted === undefined) return dispatch(request)
        return isPreflight(request)
          ? Effect.succeed(preflight(permitted))
          : Effect.map(dispatch(request), (response) => answered(response, permitted))
      }
