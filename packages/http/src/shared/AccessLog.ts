/** The access log: one line of the server log for each response, if the host enables it. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { OutgoingResponse } from "./HttpMessage.js"
import type { RequestInfo } from "./internal/RequestSpan.js"

/** Whether each request is logged; off by default. */
export class AccessLog extends Context.Reference<AccessLog>()("@attestry/http/AccessLog", {
  defaultValue: () => false
}) {}

/** A request that was served. */
export interface ServedRequest extends RequestInfo {
  readonly tookMs: number
}

/** Logs a response and returns it. The query is left out: it may contain personal data. */
export const make: Effect.Effect<
  (response: OutgoingResponse, served: ServedRequest) => Effect.Effect<OutgoingResponse>
> = Effect.map(AccessLog, (isOn) =>
  isOn
    ? (response, { request, requestId, operation, org, tookMs }) =>
        Effect.as(
          Effect.logInfo("request", {
            method: request.method,
            path: request.url.split("?", 1)[0],
            status: response.status,
            millis: Math.round(tookMs * 10) / 10,
            operation,
            ...(org === undefined ? {} : { org }),
            requestId,
            from: request.remoteAddress
          }),
          response
        )
    : Effect.succeed
)
