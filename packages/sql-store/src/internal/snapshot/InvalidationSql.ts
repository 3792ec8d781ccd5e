/**
 * `Invalidation` on PostgreSQL: an environment without digests, or behind the counter of flow changes, evaluates its
 * next report. ARCHITECTURE, "What orders inputs and evaluations"
 */
import { Invalidation } from "@attestry/core/Invalidation"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"
import type * as WriteBuffer from "../transaction/WriteBuffer.js"

/** `Invalidation` on PostgreSQL. */
export const layer: Layer.Layer<Invalidation, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    Invalidation,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* TenantQueries.make
      const running: WriteBuffer.Kind = {
        statement: (org, values) => sql`invalidate_running(${org}, ${values}::jsonb)`,
        isCall: true,
        isIdempotent: true
      }
      return {
        // WHY no environment is chosen here: it could begin to read the flow before this commits.
        invalidateReaders: (org, flow, part) =>
          rows.call({
            operation: "Invalidation.invalidateReaders",
            org,
            row: `${part} of ${flow}`,
            statement: sql`flow_changed(${org}, ${flow}, ${part})`
          }),
        // WHY one kind for both: one call then takes every lock before it draws the number of the events.
        invalidateRunning: (org, fingerprints, event) =>
          Effect.zipRight(
            Effect.forEach(
              fingerprints,
              (fingerprint) =>
                rows.add({
                  operation: "Invalidation.invalidateRunning",
                  org,
                  row: `environments that run ${fingerprint}`,
                  kind: running,
                  value: fingerprint
                }),
              { discard: true }
            ),
            rows.add({
              operation: "Invalidation.invalidateRunning",
              org,
              row: `trail_event ${event.trail_id} ${event.sequence}`,
              kind: running,
              value: event
            })
          )
      }
    })
  )
