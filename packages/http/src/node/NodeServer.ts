/**
 * The edge on `node:http`: listens when everything behind it is ready, drains before it stops.
 *
 * A caller that goes away interrupts its request. A body that is refused before it was read is passed over
 * for a moment, so that the caller can read why, and then cut off.
 */
import * as Http from "node:http"
import type { AddressInfo } from "node:net"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Runtime from "effect/Runtime"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Dispatch } from "../shared/Dispatcher.js"
import type { IncomingRequest, OutgoingResponse } from "../shared/Exchange.js"

/** Where to listen, and how long to wait for requests under way when stopping. */
export interface NodeServerOptions {
  readonly host: string
  readonly port: number
  readonly drainTimeout: Duration.DurationInput
}

/** A server that listens. */
export interface NodeServer {
  /** Address with the port that was really taken. */
  readonly url: string
  readonly port: number
}

/** The address cannot be listened on. */
export class ListenFailed extends Schema.TaggedError<ListenFailed>()("ListenFailed", {
  host: Schema.String,
  port: Schema.Int,
  reason: Schema.String
}) {
  override get message(): string {
    return `cannot listen on ${this.host}:${this.port}: ${this.reason}`
  }
}

/** Headers must arrive within this time, and have at most this size (P-SLOW). */
const HEADERS_TIMEOUT_MS = 15_000
const REQUEST_TIMEOUT_MS = 120_000
const KEEP_ALIVE_MS = 65_000
const HEADER_BYTES_MAX = 16_384

/** For how long the rest of a refused body is passed over before the connection is cut. */
const LINGER_MS = 2_000

const incomingOf = (request: Http.IncomingMessage): IncomingRequest => ({
  method: request.method ?? "GET",
  url: request.url ?? "/",
  headers: (name) => request.headersDistinct[name] ?? [],
  // WHY: the usual iterator destroys the socket when it is left early, and with it the answer.
  body: { [Symbol.asyncIterator]: () => request.iterator({ destroyOnReturn: false }) }
})

const write = (response: Http.ServerResponse, bytes: Uint8Array): Effect.Effect<void, Error> =>
  Effect.async((resume) => {
    response.write(bytes, (error) => resume(error ? Effect.fail(error) : Effect.void))
  })

/** Sends piece after piece, each when the one before has left; a failure cuts the connection. */
const sendStream = (
  response: Http.ServerResponse,
  body: Stream.Stream<Uint8Array, unknown>
): Effect.Effect<void> =>
  Stream.runForEach(body, (bytes) => write(response, bytes)).pipe(
    Effect.matchCauseEffect({
      onSuccess: () => Effect.sync(() => void response.end()),
      onFailure: (cause) =>
        Effect.zipRight(
          response.destroyed ? Effect.void : Effect.logError("an answer was cut off", cause),
          Effect.sync(() => void response.destroy())
        )
    })
  )

/** The two sides of one request, and how work is started for it. */
interface Exchanged {
  readonly request: Http.IncomingMessage
  readonly response: Http.ServerResponse
  readonly runFork: (effect: Effect.Effect<void>) => void
}

const send = (
  { request, response, runFork }: Exchanged,
  { status, headers, body }: OutgoingResponse
): void => {
  const unread = !request.complete
  const whole = typeof body === "string" || body instanceof Uint8Array
  response.writeHead(status, {
    ...headers,
    ...(whole ? { "content-length": Buffer.byteLength(body) } : {}),
    ...(unread ? { connection: "close" } : {})
  })
  if (whole) response.end(body)
  else runFork(sendStream(response, body))
  if (!unread) return
  request.resume()
  const cut = setTimeout(() => request.socket.destroy(), LINGER_MS)
  request.once("close", () => clearTimeout(cut))
}

const listen = (
  server: Http.Server,
  { host, port }: NodeServerOptions
): Effect.Effect<AddressInfo, ListenFailed> =>
  Effect.async((resume) => {
    const failed = (error: NodeJS.ErrnoException) =>
      resume(new ListenFailed({ host, port, reason: error.code ?? error.message }))
    server.once("error", failed)
    server.listen({ host, port }, () => {
      server.off("error", failed)
      const address = server.address()
      resume(
        typeof address === "object" && address !== null
          ? Effect.succeed(address)
          : new ListenFailed({ host, port, reason: "no address was given" })
      )
    })
  })

/** Stops taking connections and waits for requests under way; what is left then is cut off. */
const stop = (server: Http.Server, drainTimeout: Duration.DurationInput): Effect.Effect<void> =>
  Effect.gen(function* () {
    const closed = yield* Deferred.make<void>()
    server.close(() => Deferred.unsafeDone(closed, Effect.void))
    server.closeIdleConnections()
    yield* Effect.timeoutOption(Deferred.await(closed), drainTimeout)
    server.closeAllConnections()
  })

/** Serves requests until the scope closes. */
export const make = (
  dispatch: Dispatch,
  options: NodeServerOptions
): Effect.Effect<NodeServer, ListenFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const runtime = yield* Effect.runtime<never>()
    const runFork = Runtime.runFork(runtime)
    const serve: Http.RequestListener = (request, response) => {
      const fiber = runFork(dispatch(incomingOf(request)))
      fiber.addObserver((exit) => {
        if (exit._tag === "Success" && !response.destroyed)
          send({ request, response, runFork }, exit.value)
        else response.destroy()
      })
      response.once("close", () => {
        if (!response.writableFinished) runFork(Fiber.interrupt(fiber))
      })
    }
    const server = Http.createServer(
      {
        headersTimeout: HEADERS_TIMEOUT_MS,
        requestTimeout: REQUEST_TIMEOUT_MS,
        keepAliveTimeout: KEEP_ALIVE_MS,
        maxHeaderSize: HEADER_BYTES_MAX
      },
      serve
    )
    const address = yield* Effect.acquireRelease(listen(server, options), () =>
      stop(server, options.drainTimeout)
    )
    const host = address.family === "IPv6" ? `[${address.address}]` : address.address
    return { url: `http://${host}:${address.port}`, port: address.port }
  })
