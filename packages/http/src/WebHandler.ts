/** `Request → Response`, for hosts that speak the web's own types: edge runtimes, tests, other servers. */
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import type { Dispatch } from "./shared/Dispatcher.js"
import type { IncomingRequest, OutgoingResponse } from "./shared/Exchange.js"

/** Serves one request; aborting it interrupts the work behind it. */
export type WebHandler = (request: Request) => Promise<Response>

async function* chunksOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (body === null) return
  const reader = body.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    reader.releaseLock()
  }
}

const incomingOf = (request: Request): IncomingRequest => {
  const { pathname, search } = new URL(request.url)
  return {
    method: request.method,
    url: pathname + search,
    headers: (name) => {
      const value = request.headers.get(name)
      return value === null ? [] : [value]
    },
    body: chunksOf(request.body)
  }
}

const streamOf = (pieces: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> => {
  const iterator = pieces[Symbol.asyncIterator]()
  return new ReadableStream({
    pull: async (controller) => {
      const next = await iterator.next()
      if (next.done === true) controller.close()
      else controller.enqueue(next.value)
    },
    cancel: async () => {
      await iterator.return?.()
    }
  })
}

const responseOf = ({ status, headers, body }: OutgoingResponse): Response => {
  const content = typeof body === "string" || body instanceof Uint8Array ? body : streamOf(body)
  return new Response(content instanceof Uint8Array ? new Uint8Array(content) : content, {
    status,
    headers
  })
}

/** The handler that runs on the current runtime. */
export const make = (dispatch: Dispatch): Effect.Effect<WebHandler> =>
  Effect.map(
    Effect.runtime<never>(),
    (runtime) => (request) =>
      Runtime.runPromise(runtime)(Effect.map(dispatch(incomingOf(request)), responseOf), {
        signal: request.signal
      })
  )
