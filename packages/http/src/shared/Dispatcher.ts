/**
 * Serves a request: finds its operation, checks the caller, reads and decodes it, calls its handler.
 *
 * The order of the checks is part of the contract: 401, then 403, then 413 and 415, then 400, and only
 * then anything that depends on what is stored (DECISION A-28). Total: every request gets an answer, and
 * a bug is a logged 500 that says nothing about itself.
 */
import * as Access from "@attestry/core/Access"
import { type Actor, CurrentActor } from "@attestry/core/Actor"
import { ApiKeys } from "@attestry/core/ApiKeys"
import { ApiKeyId, OrgName } from "@attestry/core/Identifier"
import { IdGenerator } from "@attestry/core/IdGenerator"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Authentication from "./Authentication.js"
import * as CompiledRoute from "./CompiledRoute.js"
import type { IncomingRequest, OutgoingResponse, Reply, StreamedReply } from "./Exchange.js"
import type { BoundGroup } from "./Handlers.js"
import * as HttpError from "./HttpError.js"
import * as RequestBody from "./RequestBody.js"
import * as RequestMetrics from "./RequestMetrics.js"
import * as RouteTable from "./RouteTable.js"
import { Spool } from "./Spool.js"
import * as Upload from "./Upload.js"
import { FORBIDDEN, toWire } from "./WireErrors.js"

/** Serves one request; the answer is always there. */
export type Dispatch = (request: IncomingRequest) => Effect.Effect<OutgoingResponse>

/** Seconds that a client is asked to wait after a refusal that will pass. */
const RETRY_AFTER_SECONDS = "1"

/** Whoever calls an open operation: a member of no org, so every other operation denies it. */
const anonymous: Actor = {
  kind: "user",
  id: "",
  name: "anonymous",
  key_id: ApiKeyId.make(""),
  memberships: []
}

const JSON_TYPE = { "content-type": "application/json" }

const headersOf = (error: HttpError.HttpError): { readonly [name: string]: string } => {
  switch (error._tag) {
    case "Unauthorized":
      return { ...JSON_TYPE, "www-authenticate": "Bearer" }
    case "TooManyRequests":
    case "Unavailable":
      return { ...JSON_TYPE, "retry-after": RETRY_AFTER_SECONDS }
    default:
      return JSON_TYPE
  }
}

/** The answer that a failure makes. */
export const failureResponse = (error: HttpError.HttpError): OutgoingResponse => ({
  status: HttpError.statusOf(error),
  headers: headersOf(error),
  body: JSON.stringify(
    error._tag === "BadRequest"
      ? { message: error.message, errors: error.errors }
      : { message: error.message }
  )
})

const notFound = new HttpError.NotFound({ message: "Not Found" })

const isOrgName = Schema.is(OrgName)

/** Denies what the operation's rule does not allow; a name that no org can have is denied like any. */
const checkAccess = (
  actor: Actor,
  { rule }: RouteTable.Route,
  params: ReadonlyMap<string, string>
): Effect.Effect<void, HttpError.HttpError> => {
  if (rule.access === "open" || rule.access === "authenticated") return Effect.void
  const org = params.get("org")
  return isOrgName(org)
    ? toWire(Effect.asVoid(Access.authorize(actor, org, rule.access)))
    : new HttpError.Forbidden({ message: FORBIDDEN })
}

/** The body as one plain value, with the files that came with it. */
const readBody = (
  request: IncomingRequest,
  { body }: RouteTable.Route["rule"],
  uploads: Upload.UploadOptions
): Effect.Effect<Upload.UploadedForm, HttpError.HttpError, Scope.Scope> => {
  if (body._tag === "RawBody") return Effect.succeed({ value: undefined, files: [] })
  if (RequestBody.isUpload(request, body)) return toWire(Upload.read(request, body, uploads))
  return Effect.map(RequestBody.readValue(request, body), (value) => ({ value, files: [] }))
}

/** What is known of a request beside itself: its path's parameters, and how its files are taken. */
interface Received {
  readonly params: ReadonlyMap<string, string>
  readonly uploads: Upload.UploadOptions
}

const decodeParts = (
  request: IncomingRequest,
  { path, query, payload, route }: CompiledRoute.CompiledRoute,
  { params, uploads }: Received
) =>
  Effect.gen(function* () {
    const { value, files } = yield* readBody(request, route.rule, uploads)
    const [, search = ""] = request.url.split("?", 2)
    return {
      incoming: request,
      files,
      path: path === undefined ? undefined : yield* path(Object.fromEntries(params)),
      urlParams:
        query === undefined ? undefined : yield* query(yield* CompiledRoute.parseQuery(search)),
      payload: payload === undefined ? undefined : yield* payload(value)
    }
  })

const encodeReply = (
  { route, encoders }: CompiledRoute.CompiledRoute,
  reply: Reply<unknown> | StreamedReply
): OutgoingResponse => {
  if ("stream" in reply) {
    return { status: reply.status, headers: reply.headers, body: reply.stream }
  }
  const encoder = encoders.get(reply.status)
  if (encoder === undefined) {
    throw new Error(
      `${route.group}.${route.name} answers ${reply.status}, which its contract lacks`
    )
  }
  return {
    status: reply.status,
    headers: { "content-type": encoder.contentType, ...reply.headers },
    body: encoder.encode(reply.value)
  }
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/

/** Builds the dispatcher of a contract from the handlers of all its groups, and of plain GET paths. */
export const make = (
  routes: ReadonlyArray<RouteTable.Route>,
  groups: ReadonlyArray<BoundGroup>,
  plain: ReadonlyMap<string, Effect.Effect<OutgoingResponse>>
): Effect.Effect<Dispatch, never, ApiKeys | IdGenerator> =>
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    const ids = yield* IdGenerator
    const uploads = { spool: yield* Spool, fileBytesMax: yield* Upload.FileBytesMax }
    const match = RouteTable.make(routes)
    const track = RequestMetrics.make()
    const compiled = new Map(routes.map((route) => [route, CompiledRoute.compile(route, groups)]))

    const serve = (
      request: IncomingRequest,
      served: CompiledRoute.CompiledRoute,
      params: ReadonlyMap<string, string>
    ): Effect.Effect<OutgoingResponse, HttpError.HttpError> =>
      Effect.gen(function* () {
        const { route, handler } = served
        const actor =
          route.rule.access === "open"
            ? anonymous
            : yield* toWire(Authentication.authenticate(keys, request))
        yield* checkAccess(actor, route, params)
        yield* RequestBody.checkHeaders(request, route.rule.body, uploads.fileBytesMax)
        const parts = yield* decodeParts(request, served, { params, uploads })
        const reply = yield* Effect.provideService(handler(parts), CurrentActor, actor)
        return encodeReply(served, reply)
      }).pipe(Effect.scoped)

    const route = (
      request: IncomingRequest
    ): readonly [string, Effect.Effect<OutgoingResponse, HttpError.HttpError>] => {
      const [path = ""] = request.url.split("?", 1)
      const page = plain.get(path)
      if (page !== undefined) {
        return [
          "page",
          request.method === "GET" ? page : Effect.succeed(wrongMethod(request.method, ["GET"]))
        ]
      }
      const matched = match(request.method, path)
      switch (matched._tag) {
        case "NoSuchPath":
          return ["unknown", notFound]
        case "MalformedPath":
          return ["unknown", HttpError.invalid({ path: "Input should be percent-encoded UTF-8" })]
        case "WrongMethod":
          return ["unknown", Effect.succeed(wrongMethod(request.method, matched.allowed))]
        case "Found": {
          const served = compiled.get(matched.route)
          return served === undefined
            ? ["unknown", notFound]
            : [
                `${matched.route.group}.${matched.route.name}`,
                serve(request, served, matched.params)
              ]
        }
      }
    }

    return (request) =>
      Effect.gen(function* () {
        const given = request.headers("x-request-id")[0] ?? ""
        const requestId = REQUEST_ID.test(given) ? given : yield* ids.next
        const [operation, serving] = route(request)
        const response = yield* serving.pipe(
          Effect.catchAllCause(recover),
          Effect.annotateLogs({ requestId, operation }),
          track(operation)
        )
        return { ...response, headers: { ...response.headers, "x-request-id": requestId } }
      })
  })

const wrongMethod = (method: string, allowed: ReadonlyArray<string>): OutgoingResponse => {
  const error = new HttpError.MethodNotAllowed({
    message: `${method} is not allowed here: use ${allowed.join(", ")}`
  })
  const response = failureResponse(error)
  return { ...response, headers: { ...response.headers, allow: allowed.join(", ") } }
}

/**
 * WHY: the edge is where a bug must turn into an answer; it is logged with its cause, and the caller
 * learns only the request id to quote. Interruption means that the caller has gone.
 */
const recover = (cause: Cause.Cause<HttpError.HttpError>): Effect.Effect<OutgoingResponse> => {
  const failure = Cause.failureOption(cause)
  if (failure._tag === "Some") return Effect.succeed(failureResponse(failure.value))
  if (Cause.isInterruptedOnly(cause)) return Effect.interrupt
  return Effect.as(Effect.logError("request failed unexpectedly", cause), {
    status: 500,
    headers: JSON_TYPE,
    body: JSON.stringify({ message: "Internal Server Error" })
  })
}
