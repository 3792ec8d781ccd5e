/**
 * How is one request carried over one connection?
 *
 * The response body is counted and thrown away. Written with callbacks, since it runs for every
 * delivery and sockets speak in callbacks.
 */
import type { IncomingHttpHeaders } from "node:http"
import * as BoundedCache from "@attestry/core/BoundedCache"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { Dispatcher } from "undici"
import { type Answer, type Dial, TransportFailure } from "../../outbound/OutboundTransport.js"
import type { Lease } from "./ConnectionPool.js"
import * as FailureReason from "./FailureReason.js"

/** Why there is no answer; `stale` when a kept connection had been closed by the receiver. */
export interface Failed {
  readonly failure: TransportFailure
  readonly stale: boolean
}

/** One request on one connection, which carries nothing else. */
export interface Exchange {
  readonly lent: Lease
  readonly dial: Dial
  /** What is left of the time that the dial names. */
  readonly timeoutMs: number
  readonly maxResponseBytes: number
}

/** Told the one outcome of an exchange; after an answer the connection can be used again. */
export type Done = (outcome: Either.Either<Answer, Failed>) => void

const OWN_HEADERS =
  /^(?:host|content-length|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|proxy-.*)$/

/** How many names of headers are remembered; there are few, and all of them are ours. */
const NAMES_MAX = 64
const names = BoundedCache.make<string>(NAMES_MAX)

/** The name in lower case; nothing when the header is not for callers to set. */
const nameOf = (given: string): string => {
  const known = names.get(given)
  if (known !== undefined) return known
  const name = given.toLowerCase()
  return names.set(given, OWN_HEADERS.test(name) ? "" : name)
}

/** Names and values in turn, as undici likes them best. */
const headersFor = ({ headers }: Dial): Array<string> => {
  const sent: Array<string> = []
  for (const given in headers) {
    const name = nameOf(given)
    if (name !== "") sent.push(name, headers[given] ?? "")
  }
  return sent
}

const STALE = /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/

/** Long times are cut to whole steps of this many milliseconds. */
const STEP_MILLIS = 250

// WHY: timers of the same length cost next to nothing, and those of many lengths a search for each.
const evenly = (millis: number): number =>
  millis < 20 * STEP_MILLIS ? millis : millis - (millis % STEP_MILLIS)

/** Keeps the times and the first outcome of an exchange. */
const makeProgress = (exchange: Exchange, done: Done) => {
  const { connection, isReused } = exchange.lent
  let hasAnswered = false
  let isSettled = false
  // INVARIANT: the first outcome counts; what a closing socket reports after it changes nothing.
  const settle = (outcome: () => Either.Either<Answer, Failed>) => {
    if (isSettled) return
    isSettled = true
    clearTimeout(exchanging)
    if (connecting !== undefined) clearTimeout(connecting)
    done(outcome())
  }
  const fail = (code: string) =>
    settle(() => {
      const reason = FailureReason.fromCode(code)
      const unreached = !connection.isOpen() && !isReused && reason !== "tls"
      return Either.left({
        failure: new TransportFailure({ reason, code, unreached }),
        stale: isReused && !hasAnswered && STALE.test(code)
      })
    })
  const hangUp = () => fail("ETIMEDOUT")
  const exchanging = setTimeout(hangUp, evenly(exchange.timeoutMs))
  const connecting = connection.isOpen()
    ? undefined
    : setTimeout(hangUp, exchange.dial.connectTimeoutMs)
  if (connecting !== undefined) connection.whenOpen(() => clearTimeout(connecting))
  return {
    fail,
    answer: (answer: Answer) => settle(() => Either.right(answer)),
    begin: () => {
      hasAnswered = true
    },
    forget: () => {
      isSettled = true
      clearTimeout(exchanging)
      clearTimeout(connecting)
    }
  }
}

type Progress = ReturnType<typeof makeProgress>

const makeHandler = (progress: Progress, maxResponseBytes: number): Dispatcher.DispatchHandler => {
  let bytes = 0
  let status = 0
  let headers: IncomingHttpHeaders = {}
  return {
    onRequestStart: () => {},
    // An answer may follow others that only inform; the last one counts.
    onResponseStart: (_, answered, given) => {
      progress.begin()
      status = answered
      headers = given
    },
    onResponseData: (_, chunk) => {
      bytes += chunk.length
      if (bytes > maxResponseBytes) progress.fail("RESPONSE_TOO_LARGE")
    },
    onResponseEnd: () => {
      const retryAfter = headers["retry-after"]
      progress.answer({ status, retryAfter: Option.fromNullable(retryAfter) })
    },
    onResponseError: (_, error) => progress.fail(FailureReason.codeOf(error))
  }
}

/**
 * Sends the request and reads at most `maxResponseBytes`; `done` is called once. Calling the result
 * means that nobody wants to know any more.
 */
export const start = (exchange: Exchange, done: Done): (() => void) => {
  const { dial, lent, maxResponseBytes } = exchange
  const progress = makeProgress(exchange, done)
  try {
    lent.connection.client.dispatch(
      { path: dial.url.path, method: "POST", headers: headersFor(dial), body: dial.body },
      makeHandler(progress, maxResponseBytes)
    )
  } catch (error) {
    progress.fail(FailureReason.codeOf(error))
  }
  return progress.forget
}
