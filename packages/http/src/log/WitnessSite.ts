/**
 * Cosigns other deployments' logs as a witness, by C2SP tlog-witness, below `/api/v2/witness`. SPEC §4.23
 *
 * Bodies and statuses are those of that protocol: texts, and not the errors of the API. So it is not part of the
 * contract; a host that is a witness puts it in front of the API.
 */
import type { Witness, WitnessOutcome } from "@attestry/core/Witness"
import * as WitnessRequest from "@attestry/transparency-log/WitnessRequest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Dispatch, IncomingRequest, OutgoingResponse } from "../shared/HttpMessage.js"
import * as RateLimiter from "../shared/internal/RateLimiter.js"

const PREFIX = "/api/v2/witness"

/** The most requests of one source in a second. The operations are open, and each may cost a signature check. */
export const PER_SECOND = 100

/** The most sources that are counted. */
const SOURCES_MAX = 10_000

const TEXT = "text/plain; charset=utf-8"

const text = (status: number, body: string, contentType = TEXT): OutgoingResponse => ({
  status,
  headers: { "content-type": contentType, "cache-control": "no-store" },
  body
})

const answerOf = (outcome: WitnessOutcome): OutgoingResponse => {
  switch (outcome._tag) {
    case "Cosigned":
      return text(200, outcome.lines)
    case "Malformed":
      return text(400, "the request cannot be read, or its old size is above the checkpoint\n")
    case "UnknownLog":
      return text(404, "the origin is unknown\n")
    case "Unsigned":
      return text(403, "no signature of a known key\n")
    case "Conflict":
      return text(409, `${outcome.size}\n`, "text/x.tlog.size")
    case "BadProof":
      return text(422, "the proof does not verify\n")
  }
}

/** The bytes of a body; undefined if it is too large. */
const bodyOf = async ({ body, collect }: IncomingRequest): Promise<Uint8Array | undefined> => {
  const bytes = new Uint8Array(WitnessRequest.BYTES_MAX)
  const pieces = collect === undefined ? body : await collect(WitnessRequest.BYTES_MAX)
  if (pieces === undefined) return undefined
  let size = 0
  for await (const piece of pieces) {
    if (size + piece.byteLength > WitnessRequest.BYTES_MAX) return undefined
    bytes.set(piece, size)
    size += piece.byteLength
  }
  return bytes.subarray(0, size)
}

/** WHY not strict: bytes that are not UTF-8 give a text without a valid signature. */
const decoder = new TextDecoder()

const add = (witness: Witness, request: IncomingRequest) =>
  Effect.gen(function* () {
    const body = yield* Effect.option(Effect.tryPromise(() => bodyOf(request)))
    if (Option.isNone(body)) return text(400, "the request cannot be read\n")
    if (body.value === undefined) return text(413, "the request is too long\n")
    return answerOf(yield* witness.add(decoder.decode(body.value)))
  })

const HASHED = /^\/([0-9a-f]{64})\/checkpoint$/

const read = (witness: Witness, path: string) =>
  Effect.gen(function* () {
    const hash = HASHED.exec(path)?.[1]
    if (hash !== undefined) {
      return Option.match(yield* witness.checkpoint(hash), {
        onNone: () => text(404, "nothing was cosigned\n"),
        onSome: (note) => text(200, note)
      })
    }
    const described = yield* witness.describe
    return path !== "" || Option.isNone(described)
      ? text(404, "not found\n")
      : text(200, JSON.stringify(described.value), "application/json")
  })

const serve = (witness: Witness, request: IncomingRequest, path: string) => {
  const isAsked = request.method === "GET" || request.method === "HEAD"
  if (path === "/add-checkpoint") {
    return request.method === "POST"
      ? add(witness, request)
      : Effect.succeed(text(405, "only POST\n"))
  }
  return isAsked ? read(witness, path) : Effect.succeed(text(405, "only GET\n"))
}

const tooMany = (millis: number): OutgoingResponse => {
  const answer = text(429, "too many requests\n")
  const seconds = String(Math.ceil(millis / 1_000))
  return { ...answer, headers: { ...answer.headers, "retry-after": seconds } }
}

/** Wraps a web handler so that it also answers as a witness; `now` is milliseconds of a monotonic clock. */
export const front = (
  witness: Witness,
  dispatch: Dispatch,
  now: () => number = () => performance.now()
): Dispatch => {
  const limits = { tokens: PER_SECOND, periodMs: 1_000, keysMax: SOURCES_MAX, now }
  const limiter = RateLimiter.refilled(limits)
  return (request) => {
    const [path = ""] = request.url.split("?")
    if (path !== PREFIX && !path.startsWith(`${PREFIX}/`)) return dispatch(request)
    const { remoteAddress } = request
    const millis = remoteAddress === "" ? 0 : limiter.take(remoteAddress)
    if (millis > 0) return Effect.succeed(tooMany(millis))
    return serve(witness, request, path.slice(PREFIX.length)).pipe(
      Effect.catchTag("StoreError", (error) =>
        Effect.as(
          Effect.logError("a witness could not answer", error),
          text(503, "the store cannot be reached\n")
        )
      )
    )
  }
}
