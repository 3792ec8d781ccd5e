/** The responses of a server that listens and is not yet ready. */
import type { Dispatch, OutgoingResponse } from "@attestry/http/HttpMessage"
import * as Effect from "effect/Effect"

const text = (status: number, body: string): OutgoingResponse => ({
  status,
  headers: { "content-type": "text/plain; charset=utf-8" },
  body
})

const starting: OutgoingResponse = {
  status: 503,
  headers: { "content-type": "application/json", "retry-after": "1" },
  body: JSON.stringify({ message: "The service is starting: please try again" })
}

const whileStarting: Dispatch = ({ url }) => {
  if (url === "/live") return Effect.succeed(text(200, "OK"))
  if (url === "/ready") return Effect.succeed(text(503, "not ready: the server is starting"))
  return Effect.succeed(starting)
}

/** A dispatch that answers 503 until `open` replaces it. */
export const make = (): {
  readonly dispatch: Dispatch
  readonly open: (serving: Dispatch) => void
} => {
  let current = whileStarting
  return {
    dispatch: (request) => current(request),
    open: (serving) => {
      current = serving
    }
  }
}
