/** One line for each request that was answered, where the host wants it. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { IncomingRequest, OutgoingResponse } from "./HttpMessage.js"

/** Whether each request is logged; not unless told. */
export class AccessLog extends Context.Reference<AccessLog>()("@attestry/http/AccessLog", {
  defaultValue: () => false
}) {}

/** A request that was answered. */
export interface Answered {
  readonly request: IncomingRequest
  readonly requestId: string
  readonly operation: string
  readonly org: string | undefined
  /** Milliseconds until the answer was there. */
  readonly took: number
}

/** Gives the answer on, and logs it where that is wanted. WHY without the query: it may hold what people search for. */
export const make: Effect.Effect<
  (response: OutgoingResponse, answered: Answered) => Effect.Effect<OutgoingResponse>
> = Effect.map(AccessLog, (isOn) =>
  isOn
    ? (response, { request, requestId, operation, org, took }) =>
        Effect.as(
          Effect.logInfo("request", {
            method: request.method,
            path: request.url.split("?", 1)[0],
            status: response.status,
            millis: Math.round(took * 10) / 10,
            operation,
            ...(org === undefined ? {} : { org }),
            requestId,
            from: request.remoteAddress
          }),
          response
        )
    : Effect.succeed
)
