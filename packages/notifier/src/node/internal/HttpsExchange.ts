/**
 * Sends one request over one connection and reads its response.
 *
 * The response body is counted, and discarded unless it is asked for. undici and timers take callbacks, and so
 * does this module.
 */
import type { IncomingHttpHeaders } from "node:http"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { Dispatcher } from "undici"
import {
  type Dial,
  TransportFailure,
  type TransportResponse
} from "../../outbound/OutboundTransport.js"
import type { Lease } from "./ConnectionPool.js"
import * as FailureReason from "./FailureReason.js"

/** Why there is no response; `stale` when the receiver had closed a kept connection. */
export interface Failed {
  readonly failure: TransportFailure
  readonly stale: boolean
}

/** One request on one connection, which has no other request meanwhile. */
export interface Exchange {
  readonly lease: Lease
  readonly dial: Dial
  /** The remaining part of the dial's `timeoutMs`. */
  readonly timeoutMs: number
  readonly maxResponseBytes: number
}

/** Receives the one result of an exchange; after a response the connection can be used again. */
export type Done = (result: Either.Either<TransportResponse, Failed>) => void

/** The headers of the connection, which callers cannot set; headers of proxies are dropped too. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  "host",
  "content-length",
  "connection",
  "keep-alive",
  "transfer-encoding",
  "te",
  "trailer",
  "upgrade",
  "expect"
])

/** Names and values alternately. */
const headersFor = ({ headers }: Dial): Array<string> => {
  const sent: Array<string> = []
  for (const given in headers) {
    const name = given.toLowerCase()
    if (OWN_HEADERS.has(name) || name.startsWith("proxy-")) continue
    sent.push(name, headers[given] ?? "")
  }
  return sent
}

const STALE = /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/

/** Long timeouts are rounded down to multiples of this many milliseconds. */
const STEP_MILLIS = 250

// WHY: Node keeps one list per length of timer, so timers of few lengths are cheap.
const roundDown = (millis: number): number =>
  millis < 20 * STEP_MILLIS ? millis : millis - (millis % STEP_MILLIS)

/** Holds the timers and the first result of an exchange. */
const makeProgress = (exchange: Exchange, done: Done) => {
  const { connection, isReused } = exchange.lease
  let hasResponse = false
  let isSettled = false
  // INVARIANT: the first result counts; later errors of a closing socket are ignored.
  const settle = (result: () => Either.Either<TransportResponse, Failed>) => {
    if (isSettled) return
    isSettled = true
    clearTimeout(exchanging)
    if (connecting !== undefined) clearTimeout(connecting)
    done(result())
  }
  const fail = (code: string) =>
    settle(() => {
      const reason = FailureReason.fromCode(code)
      const unreached = !connection.isOpen() && !isReused && reason !== "tls"
      return Either.left({
        failure: new TransportFailure({ reason, code, unreached }),
        stale: isReused && !hasResponse && STALE.test(code)
      })
    })
  const expire = () => fail("ETIMEDOUT")
  const exchanging = setTimeout(expire, roundDown(exchange.timeoutMs))
  const connecting = connection.isOpen()
    ? undefined
    : setTimeout(expire, exchange.dial.connectTimeoutMs)
  if (connecting !== undefined) connection.whenOpen(() => clearTimeout(connecting))
  return {
    fail,
    succeed: (response: TransportResponse) => settle(() => Either.right(response)),
    begin: () => {
      hasResponse = true
    },
    abandon: () => {
      isSettled = true
      clearTimeout(exchanging)
      clearTimeout(connecting)
    }
  }
}

type Progress = ReturnType<typeof makeProgress>

const makeHandler = (
  progress: Progress,
  { dial, maxResponseBytes }: Exchange
): Dispatcher.DispatchHandler => {
  const kept: Array<Buffer> = []
  const isKept = dial.method === "GET" || dial.keepsBody === true
  let bytes = 0
  let status = 0
  let headers: IncomingHttpHeaders = {}
  return {
    onRequestStart: () => {},
    // A response may follow informational ones; the last one counts.
    onResponseStart: (_, code, given) => {
      progress.begin()
      status = code
      headers = given
    },
    onResponseData: (_, chunk) => {
      bytes += chunk.length
      if (bytes > maxResponseBytes) progress.fail("RESPONSE_TOO_LARGE")
      else if (isKept) kept.push(Buffer.from(chunk))
    },
    onResponseEnd: () => {
      const retryAfter = headers["retry-after"]
      progress.succeed({
        status,
        retryAfter: Option.fromNullable(retryAfter),
        ...(isKept ? { body: Buffer.concat(kept).toString("utf8") } : {})
      })
    },
    onResponseError: (_, error) => progress.fail(FailureReason.codeOf(error))
  }
}

/** Sends the request and reads at most `maxResponseBytes`; calls `done` once, unless the result is called before. */
export const start = (exchange: Exchange, done: Done): (() => void) => {
  const { dial, lease } = exchange
  const { method = "POST" } = dial
  const progress = makeProgress(exchange, done)
  try {
    lease.connection.client.dispatch(
      {
        path: dial.url.path,
        method,
        headers: headersFor(dial),
        ...(method === "GET" ? {} : { body: dial.body })
      },
      makeHandler(progress, exchange)
    )
  } catch (error) {
    progress.fail(FailureReason.codeOf(error))
  }
  return progress.abandon
}
