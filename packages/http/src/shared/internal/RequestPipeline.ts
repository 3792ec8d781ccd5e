/**
 * Serves a request whose operation is known, one stage per check: authorize, check the headers of the body, read the
 * key, read the body, decode, handle.
 *
 * The order of the stages is part of the contract: 401, 403, 413 and 415, 400, and then anything that depends on
 * stored records (DECISIONS.md, "The order of checks"). The stages are not generators: every request runs them, and a
 * generator doubles the cost of each step.
 */
import { Forbidden, type HttpError } from "@attestry/api/HttpError"
import { type Actor, CurrentActor } from "@attestry/core/Actor"
import * as CurrentOutcome from "@attestry/core/CurrentOutcome"
import { type Damage, DamagedRecords } from "@attestry/core/DamagedRecords"
import { DryRuns } from "@attestry/core/DryRuns"
import { EntryIds } from "@attestry/core/EntryIds"
import type { IdempotencyKey } from "@attestry/core/IdempotentRequest"
import { OrgName } from "@attestry/core/Identifier"
import * as Log from "@attestry/core/Log"
import { LogCheckpoints } from "@attestry/core/LogCheckpoints"
import { LogUnsigned } from "@attestry/core/LogProof"
import { nextStep } from "@attestry/core/ProposableOperation"
import * as Slices from "@attestry/core/Slices"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Redacted from "effect/Redacted"
import * as IdempotentWrites from "../../idempotency/internal/IdempotentWrites.js"
import { type IncomingRequest, type OutgoingResponse, textOf } from "../HttpMessage.js"
import { PublicUrl } from "../PublicUrl.js"
import { Reader } from "../Reader.js"
import { EvidenceBytesMax, FileBytesMax } from "../RequestLimits.js"
import { UploadSpool } from "../UploadSpool.js"
import * as AccessPipeline from "./AccessPipeline.js"
import * as AnswerBudget from "./AnswerBudget.js"
import type { CompiledRoute } from "./CompiledRoute.js"
import * as DamagedRecordPlaceholder from "./DamagedRecordPlaceholder.js"
import * as DryRunRequest from "./DryRunRequest.js"
import * as EntriesHeader from "./EntriesHeader.js"
import * as FileUpload from "./FileUpload.js"
import * as HandingOn from "./HandingOn.js"
import * as LogErrors from "./LogErrors.js"
import * as OperationCodec from "./OperationCodec.js"
import * as PartialView from "./PartialView.js"
import * as Preference from "./Preference.js"
import * as RequestBody from "./RequestBody.js"
import type { Params } from "./RouteTable.js"
import * as Upload from "./Upload.js"
import { toWire } from "./WireErrors.js"
import * as WriteRepresentation from "./WriteRepresentation.js"

type Response = Effect.Effect<OutgoingResponse, HttpError>

/** A request with its compiled operation. */
export interface OperationRequest extends AccessPipeline.RoutedRequest {
  readonly params: Params
  readonly compiled: CompiledRoute
  /** The response of an error; it also logs errors of the server. */
  readonly respondTo: (error: HttpError) => Effect.Effect<OutgoingResponse>
}

/** The actor, the idempotency key of the request where it has one, and whether the request is a dry run. */
interface Caller {
  readonly actor: Actor
  readonly key: IdempotencyKey | undefined
  readonly isDryRun: boolean
}

/** A body that is read: the value and files of a form, or the bytes of a body that the handler decodes. */
interface ReadBody extends Upload.UploadedForm {
  readonly bytes?: Uint8Array<ArrayBuffer>
}

const EMPTY: ReadBody = { value: undefined, files: [] }

/** Puts placeholders into the response of a list for the damaged records that the store left out. */
const withPlaceholders = (response: Response): Response =>
  Effect.suspend(() => {
    const damages: Array<Damage> = []
    return Effect.map(
      Effect.provideService(response, DamagedRecords, damages),
      (list): OutgoingResponse => {
        const text = damages.length > 0 ? textOf(list.body) : undefined
        return text === undefined
          ? list
          : { ...list, body: DamagedRecordPlaceholder.put(text, damages) }
      }
    )
  })

/** 400 for a malformed key, and for a malformed `dry_run`. */
const readKey = (actor: Actor, routed: OperationRequest): Either.Either<Caller, HttpError> => {
  const dryRun = DryRunRequest.read(routed.request, routed.route)
  if (Either.isLeft(dryRun)) return Either.left(dryRun.left)
  const key = IdempotentWrites.keyOf(routed)
  return key === undefined
    ? Either.right({ actor, key, isDryRun: dryRun.right })
    : Either.map(key, (valid) => ({ actor, key: valid, isDryRun: dryRun.right }))
}

/** The response of a dry run. */
const marked = (response: OutgoingResponse): OutgoingResponse => ({
  ...response,
  headers: { ...response.headers, [DryRunRequest.HEADER.toLowerCase()]: "true" }
})

/** A request whose query also has the fields of its form. */
const withFields = (request: IncomingRequest, fields: unknown): IncomingRequest => {
  const added = FileUpload.queryOf(fields)
  const mark = request.url.includes("?") ? "&" : "?"
  return added === "" ? request : { ...request, url: `${request.url}${mark}${added}` }
}

/** The pipeline of one dispatcher. */
export const make = Effect.gen(function* () {
  const access = yield* AccessPipeline.make
  const runOnce = yield* IdempotentWrites.make
  const spool = yield* UploadSpool
  const fileBytesMax = yield* FileBytesMax
  const evidenceBytesMax = yield* EvidenceBytesMax
  const dryRuns = yield* DryRuns
  const base = yield* PublicUrl
  const logs = yield* LogCheckpoints
  const entryIds = yield* EntryIds
  const reader = yield* Reader
  const withView = yield* PartialView.make
  const withinBudget = AnswerBudget.make()

  /** 413 and 415, as far as the headers show them. */
  const checkBodyHeaders = (
    actor: Actor,
    { request, route }: OperationRequest
  ): Effect.Effect<Actor, HttpError> =>
    RequestBody.headerRefusal(request, route.rule.body, { fileBytesMax, evidenceBytesMax }) ??
    Effect.succeed(actor)

  /** 503 for a write in an org whose log does not continue what was signed. */
  const checkLog = (
    caller: Caller,
    { route, params }: OperationRequest
  ): Either.Either<Caller, HttpError> => {
    if (route.method === "GET") return Either.right(caller)
    const own = caller.actor.memberships.find(({ org }) => org === params.org)
    return own === undefined || !logs.isStopped(own.org_id)
      ? Either.right(caller)
      : Either.left(LogErrors.unsigned(new LogUnsigned({ org: own.org, reason: "forked" })))
  }

  /** Reads the body as the rule of the operation says. The files of a form exist until `next` ends. */
  const readBody = (
    { key, isDryRun }: Caller,
    { request, route, compiled }: OperationRequest,
    next: (body: ReadBody) => Response
  ): Response => {
    const rule = route.rule.body
    if (rule._tag === "NoBody") return next(EMPTY)
    if (rule._tag === "RawBody") {
      // WHY also a dry run: it must not wait for the client while it holds a transaction.
      return key === undefined && !isDryRun
        ? next(EMPTY)
        : Effect.flatMap(RequestBody.readBytes(request, rule.bytesMax), (bytes) =>
            next({ ...EMPTY, bytes })
          )
    }
    if (rule._tag === "FileBody")
      return Effect.scoped(
        Effect.flatMap(
          toWire(FileUpload.read(request, rule, { spool, bytesMax: evidenceBytesMax })),
          next
        )
      )
    const find = compiled.findProblems
    return RequestBody.isUpload(request, rule)
      ? Effect.scoped(
          Effect.flatMap(toWire(Upload.read(request, rule, { spool, fileBytesMax, find })), next)
        )
      : Effect.flatMap(RequestBody.readValue(request, rule, find), (value) =>
          next({ value, files: [] })
        )
  }

  /** 400 for parts that do not match the contract. */
  const decode = (
    { value, files, bytes }: ReadBody,
    { request, params, compiled }: OperationRequest
  ): Either.Either<object, HttpError> => {
    const incoming = bytes === undefined ? request : RequestBody.withBytes(request, bytes)
    const authenticate = (text: Redacted.Redacted<string>) =>
      access.authenticate({ request, route: compiled.route, params }, { _tag: "Key", text })
    return Either.map(
      OperationCodec.decode(compiled, {
        request:
          compiled.route.rule.body._tag === "FileBody" ? withFields(incoming, value) : incoming,
        params,
        body: value
      }),
      (parts) => ({ ...parts, incoming, files, authenticate })
    )
  }

  /** The response of the handler, with what it did where the request prefers that. */
  const respond = (
    parts: object,
    { request, params, compiled }: OperationRequest
  ): Effect.Effect<OutgoingResponse, HttpError, CurrentActor> => {
    const response = Effect.flatMap(compiled.handler(parts), (reply) =>
      OperationCodec.encode(compiled, reply)
    )
    return compiled.route.method === "GET" || !Preference.isRepresentation(request)
      ? response
      : Effect.map(CurrentOutcome.withOutcome(response), ({ value, outcome }) =>
          WriteRepresentation.put(
            value,
            outcome && WriteRepresentation.resultOf(base, params, outcome)
          )
        )
  }

  /** The response to an actor, with the ids of what a write in an org recorded. */
  const withEntries = (
    actor: Actor,
    { route, params }: OperationRequest,
    response: Effect.Effect<OutgoingResponse, HttpError, CurrentActor>
  ): Response => {
    const own =
      route.method === "GET" || route.rule.reads
        ? undefined
        : actor.memberships.find(({ org }) => org === params.org)
    if (own === undefined) return Effect.provideService(response, CurrentActor, actor)
    const owner = { org: own.org_id, origin: Log.originOf(base, own.org) }
    return EntriesHeader.put(entryIds, { owner, actor }, response)
  }

  /** The response of a write that stores nothing; its error responses are those of the real write. */
  const rehearse = (
    { params }: OperationRequest,
    response: Effect.Effect<OutgoingResponse, HttpError, CurrentActor>
  ) => Effect.map(toWire(dryRuns.run(OrgName.make(params.org ?? ""), response)), marked)

  /** A denial; of a change that is held back with the next step, and the address of proposals. */
  const held = ({ params, route }: OperationRequest, error: Forbidden): Forbidden =>
    error.isHeld === true
      ? new Forbidden({
          message: `${error.message}: ${nextStep(`${route.group}.${route.name}`)}`,
          proposals: `${base}/api/v2/proposals/${params.org ?? ""}`
        })
      : error

  /** Calls the handler. A denial by the use case is recorded like one by the rule of the operation. */
  const handle = (
    { actor, isDryRun }: Caller,
    parts: object,
    routed: OperationRequest
  ): Response => {
    const plain = respond(parts, routed)
    const { params, request } = routed
    const real =
      reader === undefined
        ? plain
        : HandingOn.showing(entryIds, { base, request, params, actor }, plain)
    const served = isDryRun
      ? Effect.provideService(rehearse(routed, real), CurrentActor, actor)
      : withEntries(actor, routed, real)
    const shared = withinBudget(routed, parts, served)
    const response = Effect.catchTag(shared, "Forbidden", (error) =>
      Effect.zipRight(access.recordDenial(actor, routed), held(routed, error))
    )
    return routed.compiled.isList ? withPlaceholders(response) : response
  }

  /** Handles the request; under a key at most once. A dry run leaves its key unused. */
  const handleOnce = (caller: Caller, body: ReadBody, routed: OperationRequest): Response =>
    Effect.flatMap(decode(body, routed), (parts) => {
      const { actor, key } = caller
      const response = handle(caller, parts, routed)
      return key === undefined || caller.isDryRun
        ? response
        : runOnce(
            { actor, routed, key, form: body, bytes: body.bytes },
            // WHY: an error response under a key is stored and replayed like any other response.
            Effect.catchAll(response, routed.respondTo)
          )
    })

  return (routed: OperationRequest): Response => {
    let caller: Actor | undefined
    const know = (actor: Actor): void => {
      caller = actor
    }
    const response = access.authorize(routed, know).pipe(
      Effect.flatMap((actor) => checkBodyHeaders(actor, routed)),
      Effect.flatMap((actor) => readKey(actor, routed)),
      Effect.flatMap((known) => checkLog(known, routed)),
      Effect.flatMap((known) => readBody(known, routed, (body) => handleOnce(known, body, routed))),
      Slices.countedFor(routed.params.org ?? "")
    )
    const { params, respondTo } = routed
    return withView({ org: params.org, caller: () => caller, respondTo }, response)
  }
})
