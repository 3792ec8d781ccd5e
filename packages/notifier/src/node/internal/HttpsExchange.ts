/**
 * How is one request carried over a TLS connection to one given address?
 *
 * Dials the address itself, so there is nothing to look up; the URL's name is used for SNI, the
 * certificate and `Host`. The response body is counted and thrown away. Written with callbacks,
 * since it runs for every delivery and Node speaks in callbacks.
 */
import type { ClientRequest, IncomingMessage } from "node:http"
import { type Agent, request as httpsRequest } from "node:https"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as AddressRange from "../../outbound/AddressRange.js"
import { type Answer, type Dial, TransportFailure } from "../../outbound/OutboundTransport.js"
import * as OutboundUrl from "../../outbound/OutboundUrl.js"
import * as FailureReason from "./FailureReason.js"

/** Why there is no answer; `stale` when a kept connection had been closed by the receiver. */
export interface Failed {
  readonly failure: TransportFailure
  readonly stale: boolean
}

/** One request on one agent. */
export interface Exchange {
  readonly agent: Agent
  readonly dial: Dial
  readonly maxResponseBytes: number
  /** Sockets whose handshake is done; shared by all exchanges of a client. */
  readonly secured: WeakSet<object>
}

const OWN_HEADERS = /^(?:host|content-length|connection|keep-alive|transfer-encoding|te|trailer)$/
const HANDSHAKE_HEADERS = /^(?:upgrade|expect|proxy-.*)$/

const headersFor = ({ body, headers, url }: Dial): Record<string, string | number> => {
  const sent: Record<string, string | number> = {
    host: OutboundUrl.authority(url),
    "content-length": Buffer.byteLength(body)
  }
  for (const given of Object.keys(headers)) {
    const name = given.toLowerCase()
    if (OWN_HEADERS.test(name) || HANDSHAKE_HEADERS.test(name)) continue
    sent[name] = headers[given] ?? ""
  }
  return sent
}

const refuseLookup = (
  _name: string,
  _options: object,
  callback: (error: Error, address: string, family: number) => void
) => callback(Object.assign(new Error("lookup refused"), { code: "ENOTFOUND" }), "", 4)

const open = ({ agent, dial }: Exchange): ClientRequest =>
  httpsRequest({
    agent,
    method: "POST",
    host: AddressRange.print(dial.address),
    port: dial.url.port,
    path: dial.url.path,
    // WHY: an empty SNI makes Node match an address literal against the certificate's addresses.
    servername: dial.url.host._tag === "Name" ? dial.url.host.name : "",
    headers: headersFor(dial),
    maxHeaderSize: 16_384,
    lookup: refuseLookup
  })

interface Progress {
  secured: boolean
  reused: boolean
  answered: boolean
  settled: boolean
}

const failed = (code: string, { answered, reused, secured }: Progress): Failed => {
  const reason = FailureReason.fromCode(code)
  return {
    failure: new TransportFailure({ reason, code, unreached: !secured && reason !== "tls" }),
    stale: reused && !answered && /^(?:ECONNRESET|EPIPE)$/.test(code)
  }
}

// WHY: `reusedSocket` of Node is not set for a request that waited for a socket to become free,
// and a request that was sent must never be taken for one that was not.
const watchConnection = (
  request: ClientRequest,
  { dial, secured }: Exchange,
  { progress, fail }: { progress: Progress; fail: (code: string) => void }
) => {
  const hangUp = () => {
    fail("ETIMEDOUT")
    request.destroy()
  }
  const connecting = setTimeout(hangUp, dial.connectTimeoutMs)
  const exchanging = setTimeout(hangUp, dial.timeoutMs)
  request.once("socket", (socket) => {
    const ready = () => {
      clearTimeout(connecting)
      secured.add(socket)
      progress.secured = true
    }
    progress.reused = secured.has(socket)
    if (progress.reused) ready()
    else socket.once("secureConnect", ready)
  })
  request.once("close", () => {
    clearTimeout(connecting)
    clearTimeout(exchanging)
  })
}

const read = (
  response: IncomingMessage,
  maxResponseBytes: number,
  { answer, fail }: { answer: (answer: Answer) => void; fail: (code: string) => void }
) => {
  let bytes = 0
  response.on("data", (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= maxResponseBytes) return
    fail("RESPONSE_TOO_LARGE")
    response.destroy()
  })
  response.on("error", (error) => fail(FailureReason.codeOf(error)))
  response.on("close", () => fail("ECONNRESET"))
  response.on("end", () =>
    answer({
      status: response.statusCode ?? 0,
      retryAfter: Option.fromNullable(response.headers["retry-after"])
    })
  )
}

/** Told the one outcome of an exchange. */
export type Done = (outcome: Either.Either<Answer, Failed>) => void

const nothingToCancel = () => {}

/**
 * Sends the request and reads at most `maxResponseBytes`; `done` is called once. Calling the result
 * closes the socket.
 */
export const start = (input: Exchange, done: Done): (() => void) => {
  const progress: Progress = { secured: false, reused: false, answered: false, settled: false }
  let request: ClientRequest
  try {
    request = open(input)
  } catch (error) {
    const code = FailureReason.codeOf(error)
    const failure = new TransportFailure({ reason: "invalid request", code, unreached: false })
    done(Either.left({ failure, stale: false }))
    return nothingToCancel
  }
  // INVARIANT: the first outcome counts; what a closing socket reports after it changes nothing.
  const settle = (outcome: Either.Either<Answer, Failed>) => {
    if (progress.settled) return
    progress.settled = true
    done(outcome)
  }
  const fail = (code: string) => {
    if (!progress.settled) settle(Either.left(failed(code, progress)))
  }
  const answer = (value: Answer) => settle(Either.right(value))
  request.on("error", (error) => fail(FailureReason.codeOf(error)))
  // WHY: an upgrade nobody asked for ends the request with neither a response nor an error.
  request.on("close", () => fail("ECONNRESET"))
  request.on("response", (response) => {
    progress.answered = true
    read(response, input.maxResponseBytes, { answer, fail })
  })
  watchConnection(request, input, { progress, fail })
  request.end(input.dial.body)
  return () => {
    progress.settled = true
    request.destroy()
  }
}
