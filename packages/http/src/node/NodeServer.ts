/**
 * The edge on `node:http`: listens when everything behind it is ready, drains before it stops.
 *
 * A caller that goes away interrupts its request. A body that is refused before it was read is passed over
 * for a moment, so that the caller can read why, and then cut off.
 */
import * as Http from "node:http"
import type * as Net from "node:net"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Fiber from "effect/Fiber"
import * as FiberRef from "effect/FiberRef"
import * as FiberRefs from "effect/FiberRefs"
import * as Runtime from "effect/Runtime"
import * as RuntimeFlags from "effect/RuntimeFlags"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Dispatch } from "../shared/Dispatcher.js"
import type { BodyPieces, IncomingRequest, OutgoingResponse } from "../shared/HttpMessage.js"
import * as Connections from "./internal/Connections.js"
import * as ProtocolErrors from "./internal/ProtocolErrors.js"
import * as RemoteAddress from "./RemoteAddress.js"

/** Where to listen, and how long to wait for requests under way when stopping. */
export interface NodeServerOptions {
  readonly host: string
  readonly port: number
  readonly drainTimeout: Duration.DurationInput
  /** Addresses and networks whose `X-Forwarded-For` is believed; nobody's unless told. */
  readonly trustedProxies?: ReadonlyArray<string>
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
/** How often Node looks for connections that are over their time; by default twice a minute. */
const TIMEOUT_CHECK_MS = 1_000

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
): Promise<BodyPieces | undefined> =>
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
      resolve(chunks)
    }
    // INVARIANT: a request always closes, also after an error; one that closes before its end was cut.
    const cut = () => {
      settle()
      reject(new Error("the request was cut off"))
    }
    request.on("data", take).on("end", end).on("close", cut)
  })

/** WHY a class: every request makes one, and what its parts are made of is the same for all. */
class NodeRequest implements IncomingRequest {
  readonly #request: Http.IncomingMessage
  readonly #remoteAddressOf: RemoteAddress.RemoteAddressOf
  readonly #peer: string

  constructor(request: Http.IncomingMessage, remoteAddressOf: RemoteAddress.RemoteAddressOf) {
    this.#request = request
    this.#remoteAddressOf = remoteAddressOf
    this.#peer = request.socket.remoteAddress ?? ""
  }

  get method(): string {
    return this.#request.method ?? "GET"
  }

  get url(): string {
    return this.#request.url ?? "/"
  }

  get remoteAddress(): string {
    return this.#remoteAddressOf(
      this.#peer,
      headerValues(this.#request.rawHeaders, "x-forwarded-for")
    )
  }

  // WHY: the usual iterator destroys the socket when it is left early, and with it the answer.
  get body(): AsyncIterable<Uint8Array> {
    const request = this.#request
    return { [Symbol.asyncIterator]: () => request.iterator({ destroyOnReturn: false }) }
  }

  readonly headers = (name: string): ReadonlyArray<string> =>
    headerValues(this.#request.rawHeaders, name)

  readonly collect = (bytesMax: number): Promise<BodyPieces | undefined> =>
    collect(this.#request, bytesMax)
}

const write = (response: Http.ServerResponse, bytes: Uint8Array): Effect.Effect<void, Error> =>
  Effect.async((resume) => {
    response.write(bytes, (error) => resume(error ? Effect.fail(error) : Effect.void))
  })

/** Sends piece after piece, each when the one before has left; a failure cuts the connection. */
const sendStream = (
  response: Http.ServerResponse,
  body: Stream.Stream<Uint8Array, unknown>,
  requestId: string
): Effect.Effect<void> =>
  Stream.runForEach(body, (bytes) => write(response, bytes)).pipe(
    Effect.matchCauseEffect({
      onSuccess: () => Effect.sync(() => void response.end()),
      onFailure: (cause) =>
        Effect.zipRight(
          response.destroyed
            ? Effect.void
            : Effect.annotateLogs(Effect.logError("an answer was cut off", cause), { requestId }),
          Effect.sync(() => void response.destroy())
        )
    })
  )

interface Sending {
  readonly request: Http.IncomingMessage
  readonly response: Http.ServerResponse
  readonly runFork: <A>(effect: Effect.Effect<A>) => Fiber.RuntimeFiber<A>
  /** Whether the caller is asked to close the connection. */
  readonly last: boolean
}

/**
 * Whether bytes of the body have yet to come.
 *
 * WHY the headers: a request without a body is complete only when Node's parser says so, which can be after
 * its answer; its connection must stay open all the same.
 */
const isUnread = ({ complete, headers }: Http.IncomingMessage): boolean =>
  !complete &&
  (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0)

const send = (
  { status, headers, body }: OutgoingResponse,
  { request, response, runFork, last }: Sending
): void => {
  const unread = isUnread(request)
  const whole = typeof body === "string" || body instanceof Uint8Array
  const sent: Array<string | number> = []
  for (const name of Object.keys(headers)) sent.push(name, headers[name] ?? "")
  if (whole) sent.push("content-length", Buffer.byteLength(body))
  if (unread || last) sent.push("connection", "close")
  response.writeHead(status, sent)
  // WHY here: a HEAD is answered like its GET, with the length of the body that is left out.
  if (request.method === "HEAD") response.end()
  else if (!whole) {
    const sending = runFork(sendStream(response, body, headers["x-request-id"] ?? ""))
    response.once("close", () => runFork(Fiber.interrupt(sending)))
  } else if (unread) drainBody(request, response, body)
  else response.end(body)
}

/**
 * Answers a request that is still being sent, and reads on for a while.
 *
 * WHY the late end: Node closes the connection as soon as such an answer ends, and closing one on which
 * bytes are waiting resets it, which can take the answer away from a caller that has not read it yet.
 */
const drainBody = (
  request: Http.IncomingMessage,
  response: Http.ServerResponse,
  body: string | Uint8Array
): void => {
  response.flushHeaders()
  response.write(body)
  request.resume()
  const end = () => {
    clearTimeout(cut)
    response.end()
  }
  const cut = setTimeout(end, LINGER_MS)
  request.once("end", end).once("close", end)
}

const listen = (
  server: Http.Server,
  { host, port }: NodeServerOptions
): Effect.Effect<Net.AddressInfo, ListenFailed> =>
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

const stopping: OutgoingResponse = {
  status: 503,
  headers: { "content-type": "text/plain; charset=utf-8" },
  body: "not ready: the server is stopping"
}

const refusal = ({ status, message }: ProtocolErrors.Refused): OutgoingResponse => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ message })
})

/**
 * A runtime with as little as possible for each request to take along.
 *
 * WHY: metrics of every fiber cost a tenth of a small request; requests have metrics of their own. A request needs
 * no service of the host's; and whatever is provided to it copies the services and the fiber's own settings that
 * it has, among them those that are as they always are.
 */
const lean = (runtime: Runtime.Runtime<never>): Runtime.Runtime<never> => {
  const { fiberRefs } = runtime
  const needless = [...FiberRefs.fiberRefs(fiberRefs)].filter(
    (ref) =>
      ref === FiberRef.currentContext ||
      Equal.equals(
        FiberRefs.getOrDefault(fiberRefs, ref),
        FiberRefs.getOrDefault(FiberRefs.empty(), ref)
      )
  )
  return Runtime.make({
    runtimeFlags: RuntimeFlags.disable(runtime.runtimeFlags, RuntimeFlags.RuntimeMetrics),
    context: Context.empty(),
    fiberRefs: needless.reduce((kept, ref) => FiberRefs.delete(kept, ref), fiberRefs)
  })
}

/** How a listener treats its requests. */
export interface NodeListenerOptions extends Pick<NodeServerOptions, "trustedProxies"> {
  /** Whether readiness is denied and every answer asks its caller to close the connection. */
  readonly isDraining?: () => boolean
}

/**
 * The edge as a listener for a `node:http` server of somebody else's, such as an Express application; the
 * body of a request must not have been read before.
 */
export const listener = (
  dispatch: Dispatch,
  options: NodeListenerOptions = {}
): Effect.Effect<Http.RequestListener> =>
  Effect.map(Effect.runtime<never>(), (current) => {
    const runFork = Runtime.runFork(lean(current))
    const remoteAddressOf = RemoteAddress.make(options.trustedProxies ?? [])
    const isDraining = options.isDraining ?? (() => false)
    return (request, response) => {
      if (isDraining() && request.url === "/ready")
        return send(stopping, { request, response, runFork, last: true })
      const refused = ProtocolErrors.hostRefusal(
        request.httpVersion,
        headerValues(request.rawHeaders, "host")
      )
      if (refused !== undefined)
        return send(refusal(refused), { request, response, runFork, last: true })
      const fiber = runFork(dispatch(new NodeRequest(request, remoteAddressOf)))
      fiber.addObserver((exit) => {
        if (exit._tag === "Success" && !response.destroyed)
          send(exit.value, { request, response, runFork, last: isDraining() })
        else response.destroy()
      })
      response.once("close", () => {
        if (!response.writableFinished) runFork(Fiber.interrupt(fiber))
      })
    }
  })

/** Serves requests until the scope closes. */
export const make = (
  dispatch: Dispatch,
  options: NodeServerOptions
): Effect.Effect<NodeServer, ListenFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const server = Http.createServer({
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: HEADER_BYTES_MAX,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      requireHostHeader: false
    })
    const serve = yield* listener(dispatch, {
      trustedProxies: options.trustedProxies ?? [],
      isDraining: () => connections.isStopping()
    })
    ProtocolErrors.attach(server)
    const connections = Connections.serve(server, serve)
    const address = yield* Effect.acquireRelease(listen(server, options), () =>
      // WHY a callback: this runs as a finalizer, where a fiber's own time limits could not interrupt anything.
      Effect.async<void>((resume) =>
        connections.stop(Duration.toMillis(options.drainTimeout), () => resume(Effect.void))
      )
    )
    const host = address.family === "IPv6" ? `[${address.address}]` : address.address
    return { url: `http://${host}:${address.port}`, port: address.port }
  })
