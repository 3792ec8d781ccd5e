/**
 * `Staleness` on PostgreSQL: an environment without digests, or behind the clock of flows, evaluates its next
 * report. ARCHITECTURE, "What orders inputs and judgings"
 */
import { Staleness } from "@attestry/core/Staleness"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"
import type * as WriteBuffer from "../transaction/WriteBuffer.js"

/** `Staleness` on PostgreSQL. */
export const layer: Layer.Layer<Staleness, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    Staleness,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* TenantQueries.make
      const running: WriteBuffer.Kind = {
        statement: (org, values) => sql`mark_running(${org}, ${values}::jsonb)`,
        isCall: true,
        isIdempotent: true
      }
      return {
        // WHY no environment is chosen here: it could begin to read the flow before this commits.
        markReaders: (org, flow, part) =>
          rows.call({
            operation: "Staleness.markReaders",
            org,
            row: `${part} of ${flow}`,
            statement: sql`flow_changed(${org}, ${flow}, ${part})`
          }),
        // WHY one kind for both: one call then takes every lock before it draws the number of the events.
        markRunning: (org, fingerprints, event) =>
          Effect.zipRight(
            Effect.forEach(
              fingerprints,
              (fingerprint) =>
                rows.add({
                  operation: "Staleness.markRunning",
                  org,
                  row: `environments that run ${fingerprint}`,
                  kind: running,
                  value: fingerprint
                }),
              { discard: true }
            ),
            rows.add({
              operation: "Staleness.markRunning",
              org,
              row: `trail_knowledge ${event.trail_id} ${event.sequence}`,
              kind: running,
              value: event
            })
          )
      }
    })
  )
