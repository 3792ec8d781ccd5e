/** `Request → Response`, for hosts with the types of the Fetch standard: edge runtimes, tests, other servers. */
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import * as Stream from "effect/Stream"
import {
  type Dispatch,
  type IncomingRequest,
  isPieces,
  lengthOf,
  type OutgoingResponse
} from "./shared/HttpMessage.js"

/** Serves one request; aborting it interrupts its work. */
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

/** Facts about a request that only the host knows. */
export interface WebHandlerOptions {
  /** The address of the client; unknown by default. */
  readonly remoteAddress?: (request: Request) => string
}

const incomingOf = (request: Request, options: WebHandlerOptions): IncomingRequest => {
  const { pathname, search } = new URL(request.url)
  return {
    method: request.method,
    url: pathname + search,
    headers: (name) => {
      const value = request.headers.get(name)
      return value === null ? [] : [value]
    },
    remoteAddress: options.remoteAddress?.(request) ?? "",
    body: chunksOf(request.body)
  }
}

const bodyTaken = (): Response =>
  Response.json(
    {
      message:
        "The body of this request was read before it reached Attestry: pass the request on before reading it"
    },
    { status: 500 }
  )

const bodyOf = (body: OutgoingResponse["body"]): BodyInit => {
  if (typeof body === "string") return body
  if (body instanceof Uint8Array) return new Uint8Array(body)
  return Stream.toReadableStream(isPieces(body) ? Stream.fromIterable(body) : body)
}

/** The headers of a response whose body is left out; the length of a stream is not known. */
const withLength = ({ headers, body }: OutgoingResponse): OutgoingResponse["headers"] => {
  if (isPieces(body)) return { ...headers, "content-length": String(lengthOf(body)) }
  if (typeof body !== "string" && !(body instanceof Uint8Array)) return headers
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body
  return { ...headers, "content-length": String(bytes.byteLength) }
}

const responseOf = (method: string, response: OutgoingResponse): Response => {
  const { status } = response
  if (status === 204 || status === 304)
    return new Response(null, { status, headers: response.headers })
  return method === "HEAD"
    ? new Response(null, { status, headers: withLength(response) })
    : new Response(bodyOf(response.body), response)
}

/** The handler that runs on the current runtime. */
export const make = (
  dispatch: Dispatch,
  options: WebHandlerOptions = {}
): Effect.Effect<WebHandler> =>
  Effect.map(
    Effect.runtime<never>(),
    (runtime) => (request) =>
      request.bodyUsed
        ? Promise.resolve(bodyTaken())
        : Runtime.runPromise(runtime)(
            Effect.map(dispatch(incomingOf(request, options)), (response) =>
              responseOf(request.method, response)
            ),
            { signal: request.signal }
          )
  )
