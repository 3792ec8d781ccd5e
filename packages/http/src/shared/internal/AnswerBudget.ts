/**
 * Lets a read begin when there is room for its answer among those that are made and sent (`AnswerShares`).
 *
 * How large an answer will be is not known before it is made, so the last answer to the same URL counts, or the last of
 * the same operation in the org.
 */
import { type HttpError, Unavailable } from "@attestry/api/HttpError"
import * as BoundedCache from "@attestry/core/BoundedCache"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { isPieces, lengthOf, type OutgoingResponse } from "../HttpMessage.js"
import type { RoutedRequest } from "./AccessPipeline.js"
import * as AnswerShares from "./AnswerShares.js"
import type { Params } from "./RouteTable.js"

const MEBIBYTE = 1_048_576

/** The limits of a process. WHY 6 of an org: it has five connections, and one answer is computed meanwhile. */
export const LIMITS: AnswerShares.AnswerLimits = {
  answers: 12,
  answersPerOrg: 6,
  bytes: 256 * MEBIBYTE,
  bytesPerOrg: 128 * MEBIBYTE,
  waitMillis: 120_000
}

/** The size that an answer of unknown size counts as, and the smallest size that any counts as. */
const UNKNOWN_BYTES = 32 * MEBIBYTE
const LEAST_BYTES = MEBIBYTE

/** The memory of an answer while it is made, as a multiple of its text: rows, values, texts. */
const FACTOR = 4

/** Of how many URLs and operations the size is remembered, and how much of a URL counts. */
const SIZES_MAX = 5_000
const URL_LENGTH_MAX = 200

const BUSY =
  "The answer could not be made in time, because many large answers are being made: please try again"

/** A request whose org is known. */
interface Asked extends RoutedRequest {
  readonly params: Params
}

/** Whether a request waits for something to happen. WHY it counts not: it holds nothing while it waits. */
const isWaiting = (parts: object): boolean =>
  Predicate.hasProperty(parts, "urlParams") && Predicate.hasProperty(parts.urlParams, "wait")

/** Makes what lets reads begin. */
export const make = (limits: AnswerShares.AnswerLimits = LIMITS) => {
  const shares = AnswerShares.make(limits)
  const sizes = BoundedCache.make<number>(SIZES_MAX)
  return (
    { request, route, params }: Asked,
    parts: object,
    response: Effect.Effect<OutgoingResponse, HttpError>
  ): Effect.Effect<OutgoingResponse, HttpError> => {
    const isRead = route.method === "GET" || route.rule.reads
    if (!isRead || isWaiting(parts)) return response
    const org = params.org ?? ""
    const url = request.url.slice(0, URL_LENGTH_MAX)
    const operation = `${org} ${route.group}.${route.name}`
    const bytes = sizes.get(url) ?? sizes.get(operation) ?? UNKNOWN_BYTES
    return Effect.catchTag(
      shares.within({ org, bytes }, (share) =>
        Effect.map(response, (answer) => {
          const length = isPieces(answer.body) ? lengthOf(answer.body) : 0
          const size = Math.max(LEAST_BYTES, length * FACTOR)
          sizes.set(url, size)
          sizes.set(operation, size)
          if (length > 0 && request.whenSent !== undefined) {
            share.keep(length)
            request.whenSent(share.release)
          }
          return answer
        })
      ),
      "NoShare",
      () => new Unavailable({ message: BUSY })
    )
  }
}
