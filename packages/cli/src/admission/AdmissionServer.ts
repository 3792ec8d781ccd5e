/**
 * The HTTPS server of admission: `POST /admit` for API servers, `POST /external-data` for policy engines, and `/live`,
 * `/ready` and `/metrics`, which `--health-port` serves without TLS.
 *
 * A hostile body costs no more than its bytes: they are bounded for one request and for all, and read once.
 */
import { createServer as createPlain, type IncomingMessage, type ServerResponse } from "node:http"
import { createServer, type Server } from "node:https"
import type { Server as NetServer } from "node:net"
import { unreadable } from "../shared/CommandFailure.js"
import * as Duration from "../shared/Duration.js"
import type { Unread } from "./AdmissionMetrics.js"
import { BYTES_MAX } from "./AdmissionReview.js"
import type { TlsPair } from "./TlsFiles.js"

/** An answer. */
export interface Answer {
  readonly status: number
  readonly type: string
  readonly body: string
}

/** What the server serves. */
export interface AdmissionHandlers {
  /** Answers a review within the time. */
  readonly review: (text: string, withinMs: number) => Promise<Answer>
  /** Answers a policy engine about images, by the rule of a namespace. */
  readonly externalData: (text: string, namespace: string, withinMs: number) => Promise<Answer>
  readonly metrics: () => string
  readonly unread: (why: Unread) => void
}

/** A running server. */
export interface AdmissionServer {
  readonly port: number
  readonly inProgress: () => number
  /** Uses another certificate for new connections. */
  readonly use: (pair: TlsPair) => void
  /** Takes no more requests, and ends when those in progress are answered. */
  readonly close: () => Promise<void>
}

/** The options of a server. */
export interface AdmissionServerOptions {
  readonly port: number
  readonly healthPort: number | undefined
  readonly pair: TlsPair
  readonly withinMs: number
  readonly handlers: AdmissionHandlers
}

/** So many requests are answered at once; more are refused with 503. */
export const REQUESTS_MAX = 256
/** The most bytes of all bodies that are being read or answered. */
export const BYTES_IN_ALL_MAX = 48 * 1_024 * 1_024
const CONNECTIONS_MAX = 1_024
const BODY_TIMEOUT_MS = 10_000
/** An answer must reach the API server before its own time ends. */
const MARGIN_MS = 1_000
const WITHIN_MIN_MS = 100

const TEXT = "text/plain; charset=utf-8"

/** An answer for people. */
export const plain = (status: number, text: string): Answer => ({
  status,
  type: TEXT,
  body: `${text}\n`
})

/** An answer in JSON. */
export const json = (body: string): Answer => ({ status: 200, type: "application/json", body })

/** A body, or the answer to a request whose body is not read. */
type Body = { readonly text: string } | { readonly refused: Answer; readonly why: Unread }

interface Load {
  requests: number
  bytes: number
  isClosing: boolean
}

const BUSY = { refused: plain(503, "too many requests at once"), why: "busy" } as const
const LARGE = {
  refused: plain(413, `a body has at most ${BYTES_MAX} bytes`),
  why: "too-large"
} as const

const unacceptable = ({ headers }: IncomingMessage): Body | undefined => {
  const encoding = headers["content-encoding"] ?? "identity"
  if (!/^application\/json\s*(?:;|$)/i.test(headers["content-type"] ?? ""))
    return { refused: plain(415, "the body should be application/json"), why: "malformed" }
  if (encoding !== "identity")
    return { refused: plain(415, "the body should have no content encoding"), why: "malformed" }
  return Number(headers["content-length"] ?? 0) > BYTES_MAX ? LARGE : undefined
}

/** Reads the body of a request; what it adds to `counted` is in memory. */
const bodyOf = async (
  request: IncomingMessage,
  load: Load,
  counted: { bytes: number }
): Promise<Body> => {
  const refused = unacceptable(request)
  if (refused !== undefined) return refused
  const pieces: Array<Buffer> = []
  for await (const piece of request) {
    if (!Buffer.isBuffer(piece)) continue
    counted.bytes += piece.length
    load.bytes += piece.length
    if (counted.bytes > BYTES_MAX) return LARGE
    if (load.bytes > BYTES_IN_ALL_MAX) return BUSY
    pieces.push(piece)
  }
  return { text: Buffer.concat(pieces).toString("utf8") }
}

const send = (response: ServerResponse, { body, status, type }: Answer, isLast: boolean): void => {
  if (response.destroyed || response.headersSent) return
  response.writeHead(status, {
    "content-type": type,
    "content-length": Buffer.byteLength(body),
    ...(isLast ? { connection: "close" } : {})
  })
  response.end(body)
}

/** The time of a request: the API server, or the address of a provider, says in the query how long it waits. */
const withinOf = (url: URL, withinMs: number): number => {
  const given = Duration.parse(url.searchParams.get("timeout") ?? "")
  if (given === undefined) return withinMs
  return Math.max(WITHIN_MIN_MS, Math.min(withinMs, given - MARGIN_MS))
}

const urlOf = ({ url = "/" }: IncomingMessage): URL | undefined => {
  try {
    return new URL(url, "https://attestry.invalid")
  } catch {
    // WHY: a target that is no address is not found.
    return undefined
  }
}

const probe = (path: string, load: Load, metrics: () => string): Answer | undefined => {
  switch (path) {
    case "/live":
      return plain(200, "live")
    case "/ready":
      return load.isClosing ? plain(503, "closing") : plain(200, "ready")
    case "/metrics":
      return {
        status: 200,
        type: "text/plain; version=0.0.4; charset=utf-8",
        body: `${metrics()}\n`
      }
    default:
      return undefined
  }
}

type Post = (text: string, url: URL) => Promise<Answer>

/** Answers a request whose body decides. */
const answerPost = async (
  { handlers, load }: { readonly handlers: AdmissionHandlers; readonly load: Load },
  { request, url, post }: { request: IncomingMessage; url: URL; post: Post }
): Promise<{ readonly answer: Answer; readonly isRead: boolean }> => {
  const counted = { bytes: 0 }
  load.requests++
  try {
    const body: Body = load.requests > REQUESTS_MAX ? BUSY : await bodyOf(request, load, counted)
    if ("refused" in body) {
      handlers.unread(body.why)
      return { answer: body.refused, isRead: false }
    }
    return { answer: await post(body.text, url), isRead: true }
  } finally {
    load.requests--
    load.bytes -= counted.bytes
  }
}

const listenerOf =
  ({ withinMs, handlers }: AdmissionServerOptions, load: Load) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = urlOf(request)
    const path = url?.pathname ?? ""
    const isRead = request.method === "GET" || request.method === "HEAD"
    const probed = probe(path, load, handlers.metrics)
    if (probed !== undefined && isRead) return send(response, probed, load.isClosing)
    const posts: { readonly [path: string]: Post } = {
      "/admit": (text, asked) => handlers.review(text, withinOf(asked, withinMs)),
      "/external-data": (text, asked) =>
        handlers.externalData(
          text,
          asked.searchParams.get("namespace") ?? "",
          withinOf(asked, withinMs)
        )
    }
    const post = Object.hasOwn(posts, path) ? posts[path] : undefined
    if (post === undefined && probed === undefined)
      return send(response, plain(404, "not found"), true)
    if (post === undefined || url === undefined || request.method !== "POST")
      return send(response, plain(405, "method not allowed"), true)
    const { answer, isRead: wasRead } = await answerPost({ handlers, load }, { request, url, post })
    send(response, answer, !wasRead || load.isClosing)
  }

const listening = (server: NetServer, flag: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", (cause) =>
      reject(unreadable(`${flag} ${port} cannot be listened on`, undefined, cause))
    )
    server.listen(port, () => resolve())
  })

/** Serves probes without TLS. */
const serveHealth = async (port: number, load: Load, metrics: () => string) => {
  const server = createPlain({ requestTimeout: BODY_TIMEOUT_MS }, (request, response) => {
    const path = urlOf(request)?.pathname ?? ""
    send(response, probe(path, load, metrics) ?? plain(404, "not found"), true)
  })
  await listening(server, "--health-port", port)
  return server
}

const tlsServer = (options: AdmissionServerOptions, load: Load): Server => {
  const { handlers, pair } = options
  const listener = listenerOf(options, load)
  const server = createServer(
    {
      cert: pair.cert,
      key: pair.key,
      minVersion: "TLSv1.2",
      requestTimeout: BODY_TIMEOUT_MS,
      headersTimeout: BODY_TIMEOUT_MS / 2
    },
    (request, response) => {
      listener(request, response).catch(() => {
        // The connection broke while it was read, or this program has a defect: the API server's policy holds.
        handlers.unread(request.readableAborted ? "malformed" : "defect")
        send(response, plain(500, "no answer"), true)
      })
    }
  )
  server.maxConnections = CONNECTIONS_MAX
  return server
}

/** Serves until it is closed. */
export const serve = async (options: AdmissionServerOptions): Promise<AdmissionServer> => {
  const load: Load = { requests: 0, bytes: 0, isClosing: false }
  const { handlers, healthPort, port } = options
  const server = tlsServer(options, load)
  await listening(server, "--port", port)
  const health =
    healthPort === undefined ? undefined : await serveHealth(healthPort, load, handlers.metrics)
  const address = server.address()
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    inProgress: () => load.requests,
    use: ({ cert, key }) => server.setSecureContext({ cert, key, minVersion: "TLSv1.2" }),
    close: async () => {
      load.isClosing = true
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      await closed
      health?.close()
      health?.closeAllConnections()
    }
  }
}
