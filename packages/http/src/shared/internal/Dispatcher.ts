/**
 * Serves requests: finds the operation of each, runs its pipeline, and adds what every response has: headers, a span,
 * metrics and the access log.
 *
 * Total: every request gets a response, and a defect becomes a logged 500 without details.
 */
import * as HttpError from "@attestry/api/HttpError"
import type { OperationRule } from "@attestry/api/Operation"
import { PREFIX as SCIM_PREFIX } from "@attestry/api/ScimApi"
import type { ApiKeys } from "@attestry/core/ApiKeys"
import type { DeniedAttempts } from "@attestry/core/DeniedAttempts"
import type { DryRuns } from "@attestry/core/DryRuns"
import type { EmergencyKeyUses } from "@attestry/core/EmergencyKeyUses"
import type { EntryIds } from "@attestry/core/EntryIds"
import { withInput } from "@attestry/core/FieldErrors"
import type { HostActors } from "@attestry/core/HostActors"
import type { Idempotency } from "@attestry/core/Idempotency"
import { IdGenerator } from "@attestry/core/IdGenerator"
import type { LogCheckpoints } from "@attestry/core/LogCheckpoints"
import type { PublicLogs } from "@attestry/core/PublicLogs"
import type { Reaches } from "@attestry/core/Reaches"
import type { Secrets } from "@attestry/core/Secrets"
import type { Sessions } from "@attestry/core/Sessions"
import type { SignInRules } from "@attestry/core/SignInRules"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { withScimError } from "../../scim/internal/ScimAnswer.js"
import * as AccessLog from "../AccessLog.js"
import type { Dispatch, IncomingRequest, OutgoingResponse } from "../HttpMessage.js"
import { PublicUrl } from "../PublicUrl.js"
import { Reader, type ReaderMode } from "../Reader.js"
import { isApiPath, pathBeforeApi, type Site } from "../Site.js"
import * as CompiledRoute from "./CompiledRoute.js"
import * as FailureLog from "./FailureLog.js"
import * as FailureResponse from "./FailureResponse.js"
import * as HandingOn from "./HandingOn.js"
import type { BoundGroup } from "./Handlers.js"
import * as RequestMetrics from "./RequestMetrics.js"
import * as RequestPipeline from "./RequestPipeline.js"
import * as RequestSpan from "./RequestSpan.js"
import * as RouteTable from "./RouteTable.js"

const notFound = new HttpError.NotFound({ message: "Not Found" })

/** The fields that identify a request in the server log. */
type LogLabels = Pick<RequestSpan.RequestInfo, "requestId" | "operation">

/** The response of an error; 503 is logged. One without a cause is expected: the server is busy, or not yet done. */
type RespondTo = (error: HttpError.HttpError, labels: LogLabels) => Effect.Effect<OutgoingResponse>

const makeRespondTo = (reader: ReaderMode | undefined): RespondTo => {
  const logFailure = FailureLog.make()
  return (failure, labels) => {
    const error = reader === undefined ? failure : HandingOn.toReader(failure)
    if (error._tag === "Unavailable" && error.handedOn !== undefined) {
      return HandingOn.answer(error)
    }
    return error._tag === "Unavailable"
      ? Effect.as(
          logFailure({
            message: "answered 503",
            cause: error.cause ?? error,
            isExpected: error.cause === undefined,
            annotations: { ...labels }
          }),
          FailureResponse.make(error)
        )
      : Effect.succeed(FailureResponse.make(error))
  }
}

/**
 * WHY: a defect must become a response here, because no caller is left to handle it. It is logged with its cause, and
 * the client gets the request id alone. An interruption means that the client has closed the connection.
 */
const recover =
  (labels: LogLabels, respondTo: RespondTo) =>
  (cause: Cause.Cause<HttpError.HttpError>): Effect.Effect<OutgoingResponse> => {
    const failure = Cause.failureOption(cause)
    if (failure._tag === "Some") return respondTo(failure.value, labels)
    if (Cause.isInterruptedOnly(cause)) return Effect.interrupt
    return Effect.logError("request failed unexpectedly", cause).pipe(
      Effect.annotateLogs({ ...labels }),
      Effect.as({
        status: 500,
        headers: FailureResponse.JSON_TYPE,
        body: JSON.stringify({ message: "Internal Server Error" })
      })
    )
  }

/** The form of an `X-Request-ID` of a client that is used as it is. */
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/

/**
 * Makes the ids of requests: the client's where it is valid, and otherwise the given first id with a counter as its
 * last group. Ids are unique and no secret, so a process needs one random id.
 */
const requestIds = (first: string): ((request: IncomingRequest) => string) => {
  const prefix = first.slice(0, first.lastIndexOf("-") + 1)
  let count = 0
  return (request) => {
    const given = request.headers("x-request-id")[0] ?? ""
    if (REQUEST_ID.test(given)) return given
    count = (count + 1) >>> 0
    return prefix + count.toString(16).padStart(8, "0")
  }
}

const pathOf = (url: string): string => {
  const mark = url.indexOf("?")
  return mark < 0 ? url : url.slice(0, mark)
}

/** The headers of every response of an operation, error responses included. */
const headersOf = (
  base: string,
  { successor, isConfidential }: OperationRule
): OutgoingResponse["headers"] | undefined => {
  if (isConfidential) return { "cache-control": "no-store" }
  return successor === undefined
    ? undefined
    : { deprecation: "true", link: `<${base}/api/v2/doc/#/${successor}>; rel="deprecation"` }
}

const isScim = ({ url }: IncomingRequest): boolean => url.startsWith(SCIM_PREFIX)

/** The operation of a request, and the effect that serves it. */
interface Target {
  readonly operation: string
  readonly response: Effect.Effect<OutgoingResponse, HttpError.HttpError>
  readonly headers?: OutgoingResponse["headers"] | undefined
  /** The org in the path, where the path has one. */
  readonly org?: string | undefined
}

const unknown = (response: Target["response"]): Target => ({ operation: "unknown", response })

const wrongMethod = (method: string, allowed: ReadonlyArray<string>): Target["response"] =>
  Effect.succeed(FailureResponse.wrongMethod(method, allowed))

/** WHY: a host that passes on the path where it mounted the API would get an answer about pages. */
const misplaced = (prefix: string): HttpError.NotFound =>
  new HttpError.NotFound({
    message:
      `Not Found: \`${prefix.slice(0, 100)}\` is before \`/api/v2\`. Set it as the base path ` +
      "(`ATTESTRY_BASE_PATH`, `basePath`), or let the host remove it"
  })

/** The response of the site; without one, a request that was meant for the API gets a hint. */
const siteResponse = (site: Site, request: IncomingRequest): Target["response"] =>
  Effect.suspend(() => {
    const answer = site(request)
    const prefix = answer.status < 400 ? undefined : pathBeforeApi(pathOf(request.url))
    return prefix === undefined ? Effect.succeed(answer) : misplaced(prefix)
  })

/** The routes beside the contract. */
interface Beside {
  readonly staticRoutes: ReadonlyMap<string, Effect.Effect<OutgoingResponse>>
  readonly site?: Site | undefined
}

/** Builds the dispatcher of a contract from the handlers of all its groups, and from what is beside it. */
export const make = (
  routes: ReadonlyArray<RouteTable.Route>,
  groups: ReadonlyArray<BoundGroup>,
  { staticRoutes, site }: Beside
): Effect.Effect<
  Dispatch,
  never,
  | ApiKeys
  | Sessions
  | DeniedAttempts
  | EmergencyKeyUses
  | HostActors
  | DryRuns
  | EntryIds
  | Idempotency
  | IdGenerator
  | LogCheckpoints
  | PublicLogs
  | Secrets
  | Reaches
  | SignInRules
> =>
  Effect.gen(function* () {
    const serve = yield* RequestPipeline.make
    const requestIdOf = requestIds(yield* (yield* IdGenerator).next)
    const base = yield* PublicUrl
    const match = RouteTable.make(routes)
    const reader = yield* Reader
    const respondTo = makeRespondTo(reader)
    const withSpan = yield* RequestSpan.make
    const logAccess = yield* AccessLog.make
    const track = RequestMetrics.make()
    const compiledOf = CompiledRoute.compiler(routes, groups)

    const operationTarget = (
      request: IncomingRequest,
      { route, params }: Extract<RouteTable.Match, { readonly _tag: "Found" }>,
      requestId: string
    ): Target => {
      const compiled = compiledOf(route)
      if (compiled === undefined) return unknown(notFound)
      const operation = `${route.group}.${route.name}`
      const labels = { requestId, operation }
      const handedOn = reader && HandingOn.refusal(reader, request, route)
      return {
        operation,
        response:
          handedOn === undefined
            ? serve({
                request,
                route,
                params,
                compiled,
                respondTo: (error) => respondTo(error, labels)
              })
            : HandingOn.error(handedOn),
        headers: headersOf(base, route.rule),
        org: params.org
      }
    }

    const targetOf = (request: IncomingRequest, requestId: string): Target => {
      const { method } = request
      const path = pathOf(request.url)
      const page = staticRoutes.get(path)
      if (page !== undefined) {
        const isRead = method === "GET" || method === "HEAD"
        return { operation: "page", response: isRead ? page : wrongMethod(method, ["GET", "HEAD"]) }
      }
      if (site !== undefined && !isApiPath(path))
        return { operation: "site", response: siteResponse(site, request) }
      const matched = match(method, path)
      switch (matched._tag) {
        case "NoSuchPath":
          return unknown(notFound)
        case "MalformedPath":
          return unknown(
            HttpError.invalid({ path: withInput("Input should be percent-encoded UTF-8", path) })
          )
        case "WrongMethod":
          return unknown(wrongMethod(method, matched.allowed))
        case "Found":
          return operationTarget(request, matched, requestId)
      }
    }

    return (request) =>
      Effect.suspend(() => {
        const startedAt = performance.now()
        const requestId = requestIdOf(request)
        const { operation, response, headers, org } = targetOf(request, requestId)
        const labels = { requestId, operation }
        const info = { ...labels, org, request }
        return Effect.flatMap(
          // WHY: every cause becomes a response; `recover` gives the reason.
          withSpan(info, Effect.catchAllCause(response, recover(labels, respondTo))),
          (served) => {
            const tookMs = performance.now() - startedAt
            // WHY not those: they are no failures, and a writer counts them.
            if (!HandingOn.isHandedOn(served)) track(operation, served.status, tookMs)
            const shaped = isScim(request) ? withScimError(served) : served
            const finished: OutgoingResponse = {
              status: served.status,
              headers: { ...shaped.headers, ...headers, "x-request-id": requestId },
              body: shaped.body
            }
            return logAccess(finished, { ...info, tookMs })
          }
        )
      })
  })
