/** Hands requests on to a writer, and counts them. */
import * as HttpError from "@attestry/api/HttpError"
import type { Actor } from "@attestry/core/Actor"
import type { EntryIds } from "@attestry/core/EntryIds"
import * as Log from "@attestry/core/Log"
import { elsewhereReason, MustSee } from "@attestry/core/StandbyRead"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import type { Dispatch, IncomingRequest, OutgoingResponse } from "../HttpMessage.js"
import * as Reader from "../Reader.js"
import { isApiPath } from "../Site.js"
import * as FailureResponse from "./FailureResponse.js"
import type { Params, Route } from "./RouteTable.js"
import { wireOf } from "./WireErrors.js"

/** The message of answers that hand on. */
const MESSAGE = "this server only reads: send the request to one that writes"

const counter = Metric.counter("attestry_reader_handed_on_total", {
  description: "Requests that this reader has handed on to a writer, by reason",
  incremental: true
})

/** The error that hands a request on. */
export const error = (reason: Reader.HandedOnReason): HttpError.Unavailable =>
  new HttpError.Unavailable({ message: MESSAGE, handedOn: reason })

/** The answer that hands a request on, which is counted. */
export const answer = (error: HttpError.Unavailable): Effect.Effect<OutgoingResponse> =>
  Effect.as(
    Metric.increment(Metric.tagged(counter, "reason", error.handedOn ?? "")),
    FailureResponse.make(error)
  )

/** Whether an answer hands on. */
export const isHandedOn = ({ headers }: OutgoingResponse): boolean =>
  headers[Reader.HANDED_ON] !== undefined

/** The entries that a request names; none where it has no such header. */
const named = (request: IncomingRequest): ReadonlyArray<string> =>
  request
    .headers(Reader.AFTER)
    .flatMap((value) => value.split(","))
    .map((id) => id.trim())
    .filter((id) => id !== "")

/** Why a reader does not even begin with a request; undefined where it does. */
export const refusal = (
  { isLate, servesUnnamed }: Reader.ReaderMode,
  request: IncomingRequest,
  { method, rule }: Route
): Reader.HandedOnReason | undefined => {
  if (method !== "GET" && !rule.reads) return "operation"
  if (isLate()) return "lag"
  const count = named(request).length
  if (count > Reader.AFTER_MAX) return "entry"
  return count > 0 || servesUnnamed ? undefined : "unnamed"
}

/** Why the error of a request hands it on; undefined for an error that is the answer. */
const reasonOf = (failure: HttpError.HttpError): Reader.HandedOnReason | undefined => {
  if (failure._tag === "Unauthorized" || failure._tag === "Forbidden") return "refused"
  return failure._tag === "Unavailable" ? elsewhereReason(failure.cause) : undefined
}

/** The error of a request at a reader. */
export const toReader = (failure: HttpError.HttpError): HttpError.HttpError => {
  const reason = reasonOf(failure)
  return reason === undefined ? failure : error(reason)
}

/** What an answer shows at least. */
interface Asked {
  readonly base: string
  readonly request: IncomingRequest
  readonly params: Params
  readonly actor: Actor
}

/** Runs the work of a request so that it sees the entries that the request names. */
export const showing = <A, R>(
  ids: EntryIds,
  { base, request, params, actor }: Asked,
  work: Effect.Effect<A, HttpError.HttpError, R>
): Effect.Effect<A, HttpError.HttpError, R> => {
  const texts = named(request)
  if (texts.length === 0) return work
  const own = actor.memberships.find(({ org }) => org === params.org)
  // WHY answered where the path has no org: the entries of one org say nothing about what belongs to none.
  if (own === undefined) return params.org === undefined ? work : error("entry")
  const owner = { org: own.org_id, origin: Log.originOf(base, own.org) }
  return Effect.flatMap(Effect.mapError(ids.read(owner, texts), wireOf), (sequences) =>
    Option.isNone(sequences)
      ? error("entry")
      : Effect.provideService(work, MustSee, { org: own.org_id, sequences: sequences.value })
  )
}

/** Paths beside the contract that write: where people sign in, and where logs are cosigned. */
const WRITING = /^\/(?:_\/sign-in|api\/v2\/witness)\//

/** Hands on what is beside the contract and may write. */
export const front =
  (dispatch: Dispatch): Dispatch =>
  (request) => {
    const isRead = request.method === "GET" || request.method === "HEAD"
    const isBeside = WRITING.test(request.url) || !(isRead || isApiPath(request.url))
    return isBeside ? answer(error("operation")) : dispatch(request)
  }
