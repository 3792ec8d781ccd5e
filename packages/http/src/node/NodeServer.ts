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
import * as RuntimeFlags from "effect/RuntimeFlags"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
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

/** Every value of a header; the parsed forms drop repeated ones, or are made anew for each request. */
const headerValues = (raw: ReadonlyArray<string>, name: string): ReadonlyArray<string> => {
  const values: Array<string> = []
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const candidate = raw[index]
    const value = raw[index + 1]
    if (candidate?.length === name.length && candidate.toLowerCase() === name) {
      values.push(value ?? "")
    }
  }
  return values
}

const collect = (
  request: Http.IncomingMessage,
  bytesMax: number
): Promise<Uint8Array<ArrayBuffer> | undefined> =>
  new Promise((resolve, reject) => {
    const chunks: Array<Buffer> = []
    let size = 0
    const settle = () => request.off("data", take).off("end", end).off("close", cut)
    const take = (chunk: Buffer) => {
      size += chunk.byteLength
      if (size <= bytesMax) {
        chunks.push(chunk)
        return
      }
      settle()
      request.pause()
      resolve(undefined)
    }
    const end = () => {
      settle()
      resolve(Buffer.concat(chunks, size))
    }
    // INVARIANT: a request always closes, also after an error; one that closes before its end was cut.
    const cut = () => {
      settle()
      reject(new Error("the request was cut off"))
    }
    request.on("data", take).on("end", end).on("close", cut)
  })

const incomingOf = (request: Http.IncomingMessage): IncomingRequest => ({
  method: request.method ?? "GET",
  url: request.url ?? "/",
  headers: (name) => headerValues(request.rawHeaders, name),
  // WHY: the usual iterator destroys the socket when it is left early, and with it the answer.
  body: { [Symbol.asyncIterator]: () => request.iterator({ destroyOnReturn: false }) },
  collect: (bytesMax) => collect(request, bytesMax)
})

/** Sends pieces no faster than the caller takes them; one that goes away ends their making. */
const sendPieces = async (
  response: Http.ServerResponse,
  pieces: AsyncIterable<Uint8Array>
): Promise<void> => {
  try {
    for await (const piece of pieces) {
      if (response.destroyed) return
      if (!response.write(piece)) await taken(response)
    }
    response.end()
  } catch {
    // WHY: the status is long sent; a body that breaks off is the only way left to say that it failed.
    response.destroy()
  }
}

const taken = (response: Http.ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      response.off("drain", done).off("close", done)
      resolve()
    }
    response.on("drain", done).on("close", done)
  })

const send = (
  request: Http.IncomingMessage,
  response: Http.ServerResponse,
  { status, headers, body }: OutgoingResponse
): void => {
  const unread = !request.complete
  const isWhole = typeof body === "string" || body instanceof Uint8Array
  response.writeHead(status, {
    ...headers,
    ...(isWhole ? { "content-length": Buffer.byteLength(body) } : {}),
    ...(unread ? { connection: "close" } : {})
  })
  if (isWhole) response.end(body)
  else void sendPieces(response, body)
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
    // WHY: metrics of every fiber cost a tenth of a small request; requests have metrics of their own.
    const runtime = Runtime.disableRuntimeFlag(
      yield* Effect.runtime<never>(),
      RuntimeFlags.RuntimeMetrics
    )
    const runFork = Runtime.runFork(runtime)
    const serve: Http.RequestListener = (request, response) => {
      const fiber = runFork(dispatch(incomingOf(request)))
      fiber.addObserver((exit) => {
        if (exit._tag === "Success" && !response.destroyed) send(request, response, exit.value)
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
