/**
 * Open paths for GET: probes, metrics, the OpenAPI document, schemas, pages.
 *
 * They are not part of the contract because their bodies are not JSON of the API: text, HTML, scripts.
 */
import { StoreHealth } from "@attestry/core/StoreHealth"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type { OutgoingResponse } from "../../shared/HttpMessage.js"
import * as FailureLog from "../../shared/internal/FailureLog.js"
import { UploadSpool } from "../../shared/UploadSpool.js"
import * as OpenApiDocument from "../OpenApiDocument.js"
import * as PrometheusText from "./PrometheusText.js"
import * as SchemaPaths from "./SchemaPaths.js"

/** The response of each path. */
export type StaticRoutes = ReadonlyMap<string, Effect.Effect<OutgoingResponse>>

/** A response with a text. */
export const text = (status: number, contentType: string, body: string): OutgoingResponse => ({
  status,
  headers: { "content-type": contentType },
  body
})

const PLAIN = "text/plain; charset=utf-8"
const JSON_TYPE = "application/json"

const json = (value: unknown): Effect.Effect<OutgoingResponse> =>
  Effect.succeed(text(200, JSON_TYPE, JSON.stringify(value)))

/** The document, printed on the first request: hosts that start for one request do not pay for it. */
const openApi: Effect.Effect<OutgoingResponse> = Effect.map(
  Effect.runSync(Effect.cached(Effect.sync(() => JSON.stringify(OpenApiDocument.make())))),
  (printed) => text(200, JSON_TYPE, printed)
)

/** Whether the store is available and writable, and uploaded files can be spooled. */
const readiness = Effect.map(Effect.all([StoreHealth, UploadSpool]), ([health, spool]) => {
  const logFailure = FailureLog.make()
  const notReady = (reason: string) =>
    Effect.as(
      logFailure({
        message: "not ready",
        cause: reason,
        isExpected: false,
        annotations: { reason }
      }),
      text(503, PLAIN, `not ready: ${reason}`)
    )
  return health.check.pipe(
    Effect.mapError(({ message }) => message),
    Effect.zipRight(spool.check),
    Effect.matchEffect({
      onFailure: notReady,
      onSuccess: () => Effect.succeed(text(200, PLAIN, "OK"))
    })
  )
})

/**
 * The paths of every host; `measure` updates metrics before they are printed. They hold nothing about any org, and
 * tools of operators expect the probes here.
 */
export const make = (
  measure: Effect.Effect<void> = Effect.void
): Effect.Effect<StaticRoutes, never, StoreHealth> =>
  Effect.map(
    readiness,
    (ready) =>
      new Map([
        ["/live", Effect.succeed(text(200, PLAIN, "OK"))],
        ["/ready", ready],
        [
          "/metrics",
          Effect.map(Effect.zipRight(measure, Metric.snapshot), (snapshot) =>
            text(200, "text/plain; version=0.0.4; charset=utf-8", PrometheusText.print(snapshot))
          )
        ],
        ["/api/v2/openapi.json", openApi],
        ...SchemaPaths.DOCUMENTS.map(({ path, document }) => [path, json(document)] as const)
      ])
  )
