/** One span for each request, which continues the trace that its caller names. */
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Tracer from "effect/Tracer"
import type { IncomingRequest, OutgoingResponse } from "./HttpMessage.js"

/** A request with what its span says about it. */
export interface Spanned {
  readonly request: IncomingRequest
  readonly requestId: string
  readonly operation: string
  readonly org: string | undefined
}

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})/

/** The span that the caller names in `traceparent`; nothing where it names none. */
export const parentOf = (request: IncomingRequest): Tracer.ExternalSpan | undefined => {
  const [, traceId, spanId, flags = ""] =
    TRACEPARENT.exec(request.headers("traceparent")[0] ?? "") ?? []
  if (traceId === undefined || spanId === undefined) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return Tracer.externalSpan({ traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 })
}

type Around = (
  spanned: Spanned,
  work: Effect.Effect<OutgoingResponse>
) => Effect.Effect<OutgoingResponse>

const traced: Around = ({ request, requestId, operation, org }, work) => {
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

/** Puts a span around the serving of a request; costs nothing where the host traces nothing. */
export const make: Effect.Effect<Around> = Effect.map(
  FiberRef.get(FiberRef.currentTracerEnabled),
  (isEnabled) => (isEnabled ? traced : (_, work) => work)
)
