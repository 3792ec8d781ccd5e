/**
 * Serves a request: finds its operation, checks the caller, reads and decodes it, calls its handler.
 *
 * The order of the checks is part of the contract: 401, then 403, then 413 and 415, then 400, and only
 * then anything that depends on what is stored (DECISION A-28). Total: every request gets an answer, and
 * a bug is a logged 500 that says nothing about itself.
 */
import { type Actor, CurrentActor } from "@attestry/core/Actor"
import type { ApiKeys } from "@attestry/core/ApiKeys"
import { type Damage, DamagedRecords } from "@attestry/core/DamagedRecords"
import type { DeniedAttempts } from "@attestry/core/DeniedAttempts"
import { withInput } from "@attestry/core/FieldErrors"
import type { Idempotency } from "@attestry/core/Idempotency"
import type { IdempotencyKey } from "@attestry/core/IdempotentRequest"
import { IdGenerator } from "@attestry/core/IdGenerator"
import * as Provide from "@attestry/core/Provide"
import type { Secrets } from "@attestry/core/Secrets"
import type { Sessions } from "@attestry/core/Sessions"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as AccessLog from "./AccessLog.js"
import * as AccessPipeline from "./AccessPipeline.js"
import * as CompiledRoute from "./CompiledRoute.js"
import * as DamagedRecordPlaceholder from "./DamagedRecordPlaceholder.js"
import * as FailureLog from "./FailureLog.js"
import type { BoundGroup } from "./Handlers.js"
import * as HttpError from "./HttpError.js"
import type { IncomingRequest, OutgoingResponse, Reply, StreamedReply } from "./HttpMessage.js"
import * as IdempotentWrites from "./IdempotentWrites.js"
import * as FailureResponse from "./internal/FailureResponse.js"
import * as Links from "./Links.js"
import type { OperationRule } from "./Operation.js"
import * as RequestBody from "./RequestBody.js"
import * as RequestId from "./RequestId.js"
import * as RequestMetrics from "./RequestMetrics.js"
import * as RequestSpan from "./RequestSpan.js"
import * as RouteTable from "./RouteTable.js"
import * as Upload from "./Upload.js"
import { UploadSpool } from "./UploadSpool.js"
import { toWire } from "./WireErrors.js"

/** Serves one request; the answer is always there. */
export type Dispatch = (request: IncomingRequest) => Effect.Effect<OutgoingResponse>

const notFound = new HttpError.NotFound({ message: "Not Found" })

/** What a request without a body brings. */
const NOTHING: Upload.UploadedForm = { value: undefined, files: [] }

/** A part that an operation does not have. */
const ABSENT: ReturnType<CompiledRoute.Decoder> = Either.right(undefined)

/** A request that has found its operation: the parameters of its path, and its body. */
interface Received {
  readonly request: IncomingRequest
  readonly params: RouteTable.Params
  readonly form: Upload.UploadedForm
  readonly authenticate: (
    text: Redacted.Redacted<string>
  ) => Effect.Effect<Actor, HttpError.HttpError>
}

/** Who calls, and the key under which a write came. */
interface Caller {
  readonly actor: Actor
  readonly key: IdempotencyKey | undefined
}

/** A request as logs name it. */
type Named = Pick<RequestSpan.Spanned, "requestId" | "operation">

/** The answer that a failure makes; one of ours is logged with its cause. DECISION B-178 */
type Refuse = (error: HttpError.HttpError, named: Named) => Effect.Effect<OutgoingResponse>

const makeRefuse = (): Refuse => {
  const log = FailureLog.make()
  return (error, named) =>
    error._tag === "Unavailable"
      ? Effect.as(
          log({ message: "answered 503", cause: error.cause ?? error, annotations: { ...named } }),
          FailureResponse.make(error)
        )
      : Effect.succeed(FailureResponse.make(error))
}

/** A list goes on without records that are damaged, and shows where they would have stood. */
const listed = <E>(
  handled: Effect.Effect<OutgoingResponse, E>
): Effect.Effect<OutgoingResponse, E> =>
  Effect.suspend(() => {
    const damages: Array<Damage> = []
    return Effect.map(
      Effect.provideService(handled, DamagedRecords, damages),
      (response): OutgoingResponse =>
        damages.length > 0 && typeof response.body === "string"
          ? { ...response, body: DamagedRecordPlaceholder.put(response.body, damages) }
          : response
    )
  })

/** Decodes path, query and body in this order; the first part that has problems says them all. */
const decodeParts = (
  { path, query, payload }: CompiledRoute.CompiledRoute,
  { request, params, form, authenticate }: Received
): Either.Either<object, HttpError.BadRequest> => {
  const pathPart = path === undefined ? ABSENT : path(params)
  if (Either.isLeft(pathPart)) return Either.left(pathPart.left)
  const queryPart =
    query === undefined
      ? ABSENT
      : Either.flatMap(CompiledRoute.parseQuery(searchOf(request.url)), query)
  if (Either.isLeft(queryPart)) return Either.left(queryPart.left)
  const bodyPart = payload === undefined ? ABSENT : payload(form.value)
  if (Either.isLeft(bodyPart)) return Either.left(bodyPart.left)
  return Either.right({
    incoming: request,
    files: form.files,
    path: pathPart.right,
    urlParams: queryPart.right,
    payload: bodyPart.right,
    authenticate
  })
}

const searchOf = (url: string): string => {
  const mark = url.indexOf("?")
  return mark < 0 ? "" : url.slice(mark + 1)
}

const pathOf = (url: string): string => {
  const mark = url.indexOf("?")
  return mark < 0 ? url : url.slice(0, mark)
}

const encodeReply = (
  { route, encoders }: CompiledRoute.CompiledRoute,
  reply: Reply<unknown> | StreamedReply
): Effect.Effect<OutgoingResponse> => {
  if ("stream" in reply) {
    return Effect.succeed({ status: reply.status, headers: reply.headers, body: reply.stream })
  }
  const encoder = encoders.get(reply.status)
  if (encoder === undefined) {
    throw new Error(
      `${route.group}.${route.name} answers ${reply.status}, which its contract lacks`
    )
  }
  const type = { "content-type": encoder.contentType }
  const headers = reply.headers === undefined ? type : { ...type, ...reply.headers }
  const sliced = encoder.encodeInSlices?.(reply.value)
  return sliced === undefined
    ? Effect.succeed({ status: reply.status, headers, body: encoder.encode(reply.value) })
    : Effect.map(sliced, (body) => ({ status: reply.status, headers, body }))
}

/** The name of an operation, what serving it does, and headers that each of its answers has. */
type Routed = readonly [
  operation: string,
  serving: Effect.Effect<OutgoingResponse, HttpError.HttpError>,
  more?: OutgoingResponse["headers"] | undefined,
  /** The org that the path names, if it names one. */
  org?: string | undefined
]

/** The headers of every answer of an operation, refusals included. DECISION A-12 */
const headersOfRule = (
  base: string,
  { successor, isConfidential }: OperationRule
): OutgoingResponse["headers"] | undefined => {
  if (isConfidential) return { "cache-control": "no-store" }
  return successor === undefined
    ? undefined
    : { deprecation: "true", link: `<${base}/api/v2/doc/#/${successor}>; rel="deprecation"` }
}

/** Builds the dispatcher of a contract from the handlers of all its groups, and of plain GET paths. */
export const make = (
  routes: ReadonlyArray<RouteTable.Route>,
  groups: ReadonlyArray<BoundGroup>,
  plain: ReadonlyMap<string, Effect.Effect<OutgoingResponse>>
): Effect.Effect<
  Dispatch,
  never,
  ApiKeys | Sessions | DeniedAttempts | Idempotency | IdGenerator | Secrets
> =>
  Effect.gen(function* () {
    const { admit, authenticate, noteDenial } = yield* AccessPipeline.make
    const once = yield* IdempotentWrites.make
    const requestIdOf = RequestId.make(yield* (yield* IdGenerator).next)
    const uploads = { spool: yield* UploadSpool, fileBytesMax: yield* Upload.FileBytesMax }
    const base = yield* Links.PublicUrl
    const match = RouteTable.make(routes)
    const refuse = makeRefuse()
    const around = yield* RequestSpan.make
    const logAccess = yield* AccessLog.make
    const track = RequestMetrics.make()
    const compiled = new Map(routes.map((route) => [route, CompiledRoute.compile(route, groups)]))

    // WHY not generators: every request passes here, and each step of a generator costs as much again.
    const serve = (
      { request, params }: Pick<Received, "request" | "params">,
      served: CompiledRoute.CompiledRoute,
      named: Named
    ): Effect.Effect<OutgoingResponse, HttpError.HttpError> => {
      const { route, handler, isList } = served
      const { body } = route.rule
      const asked = { request, route, params }

      const byKey = (text: Redacted.Redacted<string>) =>
        authenticate(request, { _tag: "Key", text })

      const handle = (actor: Actor, parts: object) =>
        isList ? listed(handling(actor, parts)) : handling(actor, parts)
      const handling = (actor: Actor, parts: object) =>
        Effect.flatMap(
          Provide.exit(handler(parts), (around: Context.Context<never>) =>
            Context.add(around, CurrentActor, actor)
          ),
          Exit.match({
            onSuccess: (reply) => Effect.suspend(() => encodeReply(served, reply)),
            onFailure: (cause) =>
              Option.exists(Cause.failureOption(cause), ({ _tag }) => _tag === "Forbidden")
                ? Effect.zipRight(noteDenial(actor, asked), Effect.failCause(cause))
                : Effect.failCause(cause)
          })
        )
      const answer = (
        { actor, key }: Caller,
        form: Upload.UploadedForm,
        bytes?: Uint8Array<ArrayBuffer>
      ): Effect.Effect<OutgoingResponse, HttpError.HttpError> => {
        const incoming = bytes === undefined ? request : RequestBody.withBytes(request, bytes)
        const parts = decodeParts(served, { request: incoming, params, form, authenticate: byKey })
        if (Either.isLeft(parts)) return parts.left
        const handled = handle(actor, parts.right)
        return key === undefined
          ? handled
          : // WHY: a refusal of a write under a key is an answer like any other, and may be kept as one.
            once(
              { actor, asked, key, form, bytes },
              // WHY: a refusal of a write under a key is an answer like any other, and may be kept as one.
              Effect.catchAll(handled, (error) => refuse(error, named))
            )
      }
      const read = (caller: Caller): Effect.Effect<OutgoingResponse, HttpError.HttpError> => {
        if (body._tag === "NoBody") return answer(caller, NOTHING)
        if (body._tag === "RawBody") {
          return caller.key === undefined
            ? answer(caller, NOTHING)
            : Effect.flatMap(RequestBody.readBytes(request, body.bytesMax), (bytes) =>
                answer(caller, NOTHING, bytes)
              )
        }
        return RequestBody.isUpload(request, body)
          ? Effect.scoped(
              Effect.flatMap(
                toWire(Upload.read(request, body, { ...uploads, find: served.findProblems })),
                (form) => answer(caller, form)
              )
            )
          : Effect.flatMap(RequestBody.readValue(request, body, served.findProblems), (value) =>
              answer(caller, { value, files: [] })
            )
      }
      const proceed = (actor: Actor): Effect.Effect<OutgoingResponse, HttpError.HttpError> => {
        const refusal = RequestBody.headerRefusal(request, body, uploads.fileBytesMax)
        if (refusal !== undefined) return refusal
        const key = IdempotentWrites.keyOf(asked)
        if (key === undefined) return read({ actor, key })
        return Either.isLeft(key) ? key.left : read({ actor, key: key.right })
      }
      return Effect.flatMap(admit(asked), proceed)
    }

    const route = (request: IncomingRequest, requestId: string): Routed => {
      const path = pathOf(request.url)
      const page = plain.get(path)
      if (page !== undefined) {
        return [
          "page",
          request.method === "GET" || request.method === "HEAD"
            ? page
            : Effect.succeed(FailureResponse.wrongMethod(request.method, ["GET", "HEAD"]))
        ]
      }
      const matched = match(request.method, path)
      switch (matched._tag) {
        case "NoSuchPath":
          return ["unknown", notFound]
        case "MalformedPath":
          return [
            "unknown",
            HttpError.invalid({ path: withInput("Input should be percent-encoded UTF-8", path) })
          ]
        case "WrongMethod":
          return [
            "unknown",
            Effect.succeed(FailureResponse.wrongMethod(request.method, matched.allowed))
          ]
        case "Found": {
          const served = compiled.get(matched.route)
          if (served === undefined) return ["unknown", notFound]
          const operation = `${matched.route.group}.${matched.route.name}`
          return [
            operation,
            serve({ request, params: matched.params }, served, { requestId, operation }),
            headersOfRule(base, matched.route.rule),
            matched.params.org
          ]
        }
      }
    }

    return (request) =>
      Effect.suspend(() => {
        const began = performance.now()
        const requestId = requestIdOf(request)
        const [operation, serving, more, org] = route(request, requestId)
        const named = { requestId, operation }
        return Effect.flatMap(
          // WHY: nothing may go unanswered, not even a bug; `recover` says how.
          around({ ...named, org, request }, Effect.catchAllCause(serving, recover(named, refuse))),
          (response) => {
            const took = performance.now() - began
            track(operation, response.status, took)
            const own = more === undefined ? response.headers : { ...response.headers, ...more }
            return logAccess(
              {
                status: response.status,
                headers: { ...own, "x-request-id": requestId },
                body: response.body
              },
              { ...named, org, request, took }
            )
          }
        )
      })
  })

/**
 * WHY: the edge is where a bug must turn into an answer; it is logged with its cause, and the caller
 * learns only the request id to quote. Interruption means that the caller has gone.
 */
const recover =
  (annotations: Named, refuse: Refuse) =>
  (cause: Cause.Cause<HttpError.HttpError>): Effect.Effect<OutgoingResponse> => {
    const failure = Cause.failureOption(cause)
    if (failure._tag === "Some") return refuse(failure.value, annotations)
    if (Cause.isInterruptedOnly(cause)) return Effect.interrupt
    return Effect.logError("request failed unexpectedly", cause).pipe(
      Effect.annotateLogs({ ...annotations }),
      Effect.as({
        status: 500,
        headers: FailureResponse.JSON_TYPE,
        body: JSON.stringify({ message: "Internal Server Error" })
      })
    )
  }
