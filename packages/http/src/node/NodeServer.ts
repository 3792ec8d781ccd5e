/**
 * Serves requests with `node:http`, and drains before it stops.
 *
 * A client that closes its connection interrupts its request. When a body is refused before it is read, the server
 * reads and drops the rest for a limited time, so that the client can read the response.
 */
import * as Http from "node:http"
import type * as Net from "node:net"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Runtime from "effect/Runtime"
import * as RuntimeFlags from "effect/RuntimeFlags"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type {
  BodyPieces,
  Dispatch,
  IncomingRequest,
  OutgoingResponse
} from "../shared/HttpMessage.js"
import * as Connections from "./internal/Connections.js"
import * as ProtocolErrors from "./internal/ProtocolErrors.js"
import { headerValues } from "./internal/RawHeaders.js"
import { send } from "./internal/Sending.js"
import * as RemoteAddress from "./RemoteAddress.js"

/** Where to listen, and how long to wait for open requests when stopping. */
export interface NodeServerOptions {
  readonly host: string
  readonly port: number
  readonly drainTimeout: Duration.DurationInput
  /** Addresses and networks whose `X-Forwarded-For` is trusted; none by default. */
  readonly trustedProxies?: ReadonlyArray<string>
  /** How long a client may read nothing while bytes of an answer wait for it; 60 seconds by default. */
  readonly sendTimeout?: Duration.DurationInput
}

/** A server that listens. */
export interface NodeServer {
  /** The address, with the port that the system assigned. */
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

/** Limits of time and size for the headers and for the whole request (P-SLOW). */
const HEADERS_TIMEOUT_MS = 15_000
const REQUEST_TIMEOUT_MS = 120_000
const KEEP_ALIVE_MS = 65_000
/** The default time limit for clients that do not read. */
const SEND_TIMEOUT = "60 seconds"
const HEADER_BYTES_MAX = 16_384
/** How often Node looks for timed out connections; its default is 30 seconds. */
const TIMEOUT_CHECK_MS = 1_000

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
    // INVARIANT: a request always closes, also after an error; "close" before "end" means that it was cut off.
    const cut = () => {
      settle()
      reject(new Error("the request was cut off"))
    }
    request.on("data", take).on("end", end).on("close", cut)
  })

/** WHY a class: every request makes one, and its methods are shared by all. */
class NodeRequest implements IncomingRequest {
  readonly #request: Http.IncomingMessage
  readonly #remoteAddressOf: RemoteAddress.RemoteAddressOf
  readonly #peer: string
  readonly #response: Http.ServerResponse

  constructor(
    request: Http.IncomingMessage,
    response: Http.ServerResponse,
    remoteAddressOf: RemoteAddress.RemoteAddressOf
  ) {
    this.#request = request
    this.#response = response
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

  // WHY: the default iterator destroys the socket when it ends early, and with it the response.
  get body(): AsyncIterable<Uint8Array> {
    const request = this.#request
    return { [Symbol.asyncIterator]: () => request.iterator({ destroyOnReturn: false }) }
  }

  readonly headers = (name: string): ReadonlyArray<string> =>
    headerValues(this.#request.rawHeaders, name)

  readonly collect = (bytesMax: number): Promise<BodyPieces | undefined> =>
    collect(this.#request, bytesMax)

  readonly whenSent = (then: () => void): void => {
    const response = this.#response
    if (response.destroyed || response.writableFinished) then()
    else response.once("close", then)
  }
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

/** WHY a sentence: the API would wait for a body that something before it has read, and never answer. */
const bodyTaken: OutgoingResponse = {
  status: 500,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({
    message:
      "The body of this request was read before it reached Attestry: mount Attestry before body parsers"
  })
}

/** Whether something before has read the body of a request that has one. */
const isTaken = (request: Http.IncomingMessage): boolean =>
  request.readableDidRead &&
  (request.headers["transfer-encoding"] !== undefined ||
    Number(request.headers["content-length"] ?? 0) > 0)

const responseOf = ({ status, message }: ProtocolErrors.ProtocolError): OutgoingResponse => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ message })
})

/** Options of a listener. */
export interface NodeListenerOptions
  extends Pick<NodeServerOptions, "sendTimeout" | "trustedProxies"> {
  /** While true, `/ready` is 503 and every response asks the client to close the connection. */
  readonly isDraining?: () => boolean
}

/**
 * A request listener for an existing `node:http` server, such as an Express application. Nothing before it may read
 * the body of a request; one that was read is answered 500 with that sentence.
 */
export const listener = (
  dispatch: Dispatch,
  options: NodeListenerOptions = {}
): Effect.Effect<Http.RequestListener> =>
  Effect.map(Effect.runtime<never>(), (current) => {
    // WHY: requests have metrics of their own, and the dispatcher holds the services that it needs. Each service that
    // is provided to a request would copy all services of the host.
    const unmeasured = Runtime.disableRuntimeFlag(current, RuntimeFlags.RuntimeMetrics)
    const runFork = Runtime.runFork(Runtime.updateContext(unmeasured, () => Context.empty()))
    const remoteAddressOf = RemoteAddress.make(options.trustedProxies ?? [])
    const isDraining = options.isDraining ?? (() => false)
    const sendTimeout = Duration.toMillis(options.sendTimeout ?? SEND_TIMEOUT)
    return (request, response) => {
      const answer = (outgoing: OutgoingResponse, last: boolean) =>
        send(outgoing, { request, response, runFork, last, sendTimeout })
      if (isDraining() && request.url === "/ready") return answer(stopping, true)
      const hostError = ProtocolErrors.hostError(
        request.httpVersion,
        headerValues(request.rawHeaders, "host")
      )
      if (hostError !== undefined) return answer(responseOf(hostError), true)
      if (isTaken(request)) {
        runFork(Effect.logError("a body was read before the request reached Attestry"))
        return answer(bodyTaken, false)
      }
      const fiber = runFork(dispatch(new NodeRequest(request, response, remoteAddressOf)))
      fiber.addObserver((exit) => {
        if (exit._tag === "Success" && !response.destroyed) answer(exit.value, isDraining())
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
      sendTimeout: options.sendTimeout ?? SEND_TIMEOUT,
      isDraining: () => connections.isStopping()
    })
    ProtocolErrors.attach(server)
    const connections = Connections.serve(server, serve)
    const address = yield* Effect.acquireRelease(listen(server, options), () =>
      // WHY a callback: a finalizer is uninterruptible, so a timeout of Effect has no effect here.
      Effect.async<void>((resume) =>
        connections.stop(Duration.toMillis(options.drainTimeout), () => resume(Effect.void))
      )
    )
    const host = address.family === "IPv6" ? `[${address.address}]` : address.address
    return { url: `http://${host}:${address.port}`, port: address.port }
  })
