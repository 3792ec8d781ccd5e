/** Decodes the parts of a request and encodes the reply of its handler, both by the contract of the operation. */
import type { BadRequest } from "@attestry/api/HttpError"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { IncomingRequest, OutgoingResponse, Reply, StreamedReply } from "../HttpMessage.js"
import type * as CompiledRoute from "./CompiledRoute.js"
import type { Params } from "./RouteTable.js"

/** A part that the operation does not have. */
const ABSENT: ReturnType<CompiledRoute.Decoder> = Either.right(undefined)

/** A request whose body is read and not yet decoded. */
export interface EncodedParts {
  readonly request: IncomingRequest
  readonly params: Params
  readonly body: unknown
}

/** The values that the contract makes of path, query and body. */
export interface DecodedParts {
  readonly path: unknown
  readonly urlParams: unknown
  readonly payload: unknown
}

/** Decodes path, query and body in this order; the first part with problems reports all of its problems. */
export const decode = (
  { path, query, payload }: CompiledRoute.CompiledRoute,
  { request, params, body }: EncodedParts
): Either.Either<DecodedParts, BadRequest> => {
  const pathPart = path === undefined ? ABSENT : path(params)
  if (Either.isLeft(pathPart)) return Either.left(pathPart.left)
  const queryPart = query(searchOf(request.url))
  if (Either.isLeft(queryPart)) return Either.left(queryPart.left)
  const bodyPart = payload === undefined ? ABSENT : payload(body)
  if (Either.isLeft(bodyPart)) return Either.left(bodyPart.left)
  return Either.right({
    path: pathPart.right,
    urlParams: queryPart.right,
    payload: bodyPart.right
  })
}

const searchOf = (url: string): string => {
  const mark = url.indexOf("?")
  return mark < 0 ? "" : url.slice(mark + 1)
}

/** The response of a reply; a status that the contract does not have is a defect. */
export const encode = (
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
