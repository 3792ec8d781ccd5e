/**
 * Sends an answer on a connection of `node:http`: its tag, its coding, its pieces.
 *
 * Pieces are sent one after another, and each waits for the one before, also where they are compressed. A stream that
 * fails destroys the connection, so that the client notices.
 */
import type * as Http from "node:http"
import type * as NodeStream from "node:stream"
import * as Slices from "@attestry/core/Slices"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { isPieces, lengthOf, type OutgoingResponse } from "../../shared/HttpMessage.js"
import * as ContentCoding from "./ContentCoding.js"
import * as EntityTag from "./EntityTag.js"
import { headerValues } from "./RawHeaders.js"

/** How long the rest of a refused body is read and dropped before the connection is closed. */
const DRAIN_BODY_MS = 2_000

/** The connection that an answer is sent on. */
export interface Sending {
  readonly request: Http.IncomingMessage
  readonly response: Http.ServerResponse
  readonly runFork: <A>(effect: Effect.Effect<A>) => Fiber.RuntimeFiber<A>
  /** Whether the client is asked to close the connection. */
  readonly last: boolean
  /** How long a client may read nothing while bytes of an answer wait for it, in milliseconds. */
  readonly sendTimeout: number
}

/** Closes the connection of a client that reads nothing within the time limit while bytes wait for it. */
const closeWhenUnread = ({ response, runFork, sendTimeout }: Sending): void => {
  response.setTimeout(sendTimeout, () => {
    // WHY: a pause in which the server makes the next piece is no fault of the client.
    if (response.writableLength === 0) return
    runFork(Effect.logDebug("a client stopped reading its answer"))
    response.destroy()
  })
}

/** Nothing more can be written: the client has closed the connection. */
class ClientGone {
  constructor(readonly reason: Error) {}
}

const write = (to: NodeStream.Writable, bytes: Uint8Array): Effect.Effect<void, ClientGone> =>
  Effect.async((resume) => {
    to.write(bytes, (error) => resume(error ? Effect.fail(new ClientGone(error)) : Effect.void))
  })

/** WHY no error for a client that is gone: people close pages while they load. */
const logCut = (cause: Cause.Cause<unknown>): Effect.Effect<void> => {
  const failure = Cause.failureOption(cause)
  return Option.isSome(failure) && failure.value instanceof ClientGone
    ? Effect.logDebug(
        "a client closed the connection during an answer",
        failure.value.reason.message
      )
    : Effect.logError("an answer was cut off", cause)
}

/** Sends one piece after another and waits for each; a failure destroys the connection. */
const sendStream = (
  to: NodeStream.Writable,
  body: Stream.Stream<Uint8Array, unknown>,
  { response, requestId }: { readonly response: Http.ServerResponse; readonly requestId: string }
): Effect.Effect<void> =>
  Stream.runForEach(body, (bytes) => write(to, bytes)).pipe(
    Effect.matchCauseEffect({
      onSuccess: () => Effect.sync(() => void to.end()),
      onFailure: (cause) =>
        Effect.zipRight(
          response.destroyed ? Effect.void : Effect.annotateLogs(logCut(cause), { requestId }),
          Effect.sync(() => void response.destroy())
        )
    })
  )

/** Where pieces are written to: the connection, or a compressor before it. */
const destinationOf = (
  response: Http.ServerResponse,
  coding: ContentCoding.Coding | undefined
): NodeStream.Writable => {
  if (coding === undefined) return response
  const compressor = ContentCoding.compressor(coding)
  // WHY: a connection that closes early ends the compressor, whose writes would wait for ever.
  response.once("close", () => compressor.destroy())
  compressor.on("error", () => response.destroy())
  compressor.pipe(response)
  return compressor
}

/**
 * Whether bytes of the body are still to arrive.
 *
 * WHY the headers: `complete` of a request without a body can be set after its response; its connection must stay
 * open nevertheless.
 */
const isUnread = ({ complete, headers }: Http.IncomingMessage): boolean =>
  !complete &&
  (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0)

/**
 * Responds to a request that is still being sent, and drops the rest of its body for a limited time.
 *
 * WHY: Node closes the connection when such a response ends. Closing a connection with unread bytes resets it, and a
 * reset can discard the response before the client reads it.
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
  const cut = setTimeout(end, DRAIN_BODY_MS)
  request.once("end", end).once("close", end)
}

/** An answer whose coding is applied to whole bodies, and still to be applied to streams. */
interface Prepared extends OutgoingResponse {
  readonly coding?: ContentCoding.Coding | undefined
}

const deliver = ({ status, headers, body, coding }: Prepared, sending: Sending): void => {
  const { request, response, runFork, last } = sending
  closeWhenUnread(sending)
  const unread = isUnread(request)
  const whole = typeof body === "string" || body instanceof Uint8Array
  const pieces = isPieces(body)
  const isHead = request.method === "HEAD"
  const sent: Array<string | number> = []
  for (const name of Object.keys(headers)) sent.push(name, headers[name] ?? "")
  // WHY: the length in a 304 would be that of the answer which the client has, and that of a compressed answer to
  // HEAD is not known.
  if (whole && status !== 304 && coding === undefined)
    sent.push("content-length", Buffer.byteLength(body))
  if (pieces && coding === undefined) sent.push("content-length", lengthOf(body))
  if (unread || last) sent.push("connection", "close")
  response.writeHead(status, sent)
  // WHY here: the response to HEAD has the headers of GET, with the length of the omitted body.
  if (isHead) response.end()
  else if (!whole) {
    const requestId = headers["x-request-id"] ?? ""
    const to = destinationOf(response, coding)
    const stream = pieces ? Stream.fromIterable(body) : body
    const fiber = runFork(sendStream(to, stream, { response, requestId }))
    response.once("close", () => runFork(Fiber.interrupt(fiber)))
  } else if (unread) drainBody(request, response, body)
  else response.end(body)
}

/** Sends an answer in the coding that the client prefers. */
const sendCoded = ({ status, headers, body }: OutgoingResponse, sending: Sending): void => {
  const { request, response } = sending
  const coding = ContentCoding.preferredOf(headerValues(request.rawHeaders, "accept-encoding"))
  const coded = ContentCoding.headersOf(headers, coding)
  const isWhole = typeof body === "string" || body instanceof Uint8Array
  if (coding !== undefined && isWhole && request.method !== "HEAD")
    ContentCoding.compress(body, coding, (error, bytes) => {
      if (error !== null) response.destroy()
      else if (!response.destroyed) deliver({ status, headers: coded, body: bytes }, sending)
    })
  else deliver({ status, headers: coded, body, coding }, sending)
}

const sendTagged = (answer: OutgoingResponse, sending: Sending, tag?: string): void => {
  const { request, response } = sending
  if (response.destroyed) return
  const asked = {
    method: request.method ?? "GET",
    known: () => headerValues(request.rawHeaders, "if-none-match")
  }
  const tagged = EntityTag.apply(answer, asked, tag)
  if (ContentCoding.isCompressible(tagged)) sendCoded(tagged, sending)
  else deliver(tagged, sending)
}

/** Sends an answer in the coding that the client prefers, or 304 where the client has it. */
export const send = (answer: OutgoingResponse, sending: Sending): void => {
  const { body } = answer
  if (isPieces(body)) {
    const tagging = Slices.run(() => EntityTag.tagging(body))
    sending.runFork(Effect.map(tagging, (tag) => sendTagged(answer, sending, tag)))
  } else sendTagged(answer, sending)
}
