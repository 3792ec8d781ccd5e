/** One span for each request; it continues the trace of its `traceparent` header. */
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Tracer from "effect/Tracer"
import type { IncomingRequest, OutgoingResponse } from "../HttpMessage.js"

/** A request with its id, its operation and the org of its path. */
export interface RequestInfo {
  readonly request: IncomingRequest
  readonly requestId: string
  readonly operation: string
  readonly org: string | undefined
}

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})/

/** The span in the `traceparent` header; undefined where the header is absent or malformed. */
export const parentOf = (request: IncomingRequest): Tracer.ExternalSpan | undefined => {
  const [, traceId, spanId, flags = ""] =
    TRACEPARENT.exec(request.headers("traceparent")[0] ?? "") ?? []
  if (traceId === undefined || spanId === undefined) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return Tracer.externalSpan({ traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 })
}

type WithSpan = (
  info: RequestInfo,
  work: Effect.Effect<OutgoingResponse>
) => Effect.Effect<OutgoingResponse>

const traced: WithSpan = ({ request, requestId, operation, org }, work) => {
  const parent = parentOf(request)
  const options: Tracer.SpanOptions = {
    kind: "server",
    captureStackTrace: false,
    attributes: {
      "http.request.method": request.method,
      "attestry.operation": operation,
      "attestry.request_id": requestId,
      ...(org === undefined ? {} : { "attestry.org": org })
    },
    ...(parent === undefined ? { root: true } : { parent })
  }
  return Effect.useSpan(operation, options, (span) =>
    Effect.map(Effect.withParentSpan(work, span), (response) => {
      span.attribute("http.response.status_code", response.status)
      return response
    })
  )
}

/** Runs the serving of a request in a span; without a tracer it adds nothing. */
export const make: Effect.Effect<WithSpan> = Effect.map(
  FiberRef.get(FiberRef.currentTracerEnabled),
  (isEnabled) => (isEnabled ? traced : (_, work) => work)
)
