/** `Staleness` on PostgreSQL: an environment without digests evaluates its next report. */
import { Staleness } from "@attestry/core/Staleness"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlOrg } from "../shared/SqlOrg.js"
import * as SqlRows from "../shared/SqlRows.js"
import { FINGERPRINT_LOCK } from "./ProvenanceStoreSql.js"

/** `Staleness` on PostgreSQL. */
export const layer: Layer.Layer<Staleness, never, SqlClient.SqlClient | SqlOrg> = Layer.effect(
  Staleness,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* SqlRows.make
    return {
      markRunning: (org, fingerprints) =>
        Effect.gen(function* () {
          if (fingerprints.length === 0) return
          const wanted = JSON.stringify([...new Set(fingerprints)])
          const operation = "Staleness.markRunning"
          yield* rows.count({
            operation,
            org,
            statement: sql`select ${sql.literal(FINGERPRINT_LOCK)}
              from (select ${org}::text as org, value
                from jsonb_array_elements_text(${wanted}::jsonb) as value order by value) wanted`
          })
          yield* rows.count({
            operation,
            org,
            statement: sql`update environment e set body_digest = null, rows_digest = null
              from (select l.environment_id from environment l
                join running_fingerprint f on f.org_id = l.org_id
                  and f.environment_id = l.environment_id
                where l.org_id = ${org}
                  and f.fingerprint in (select jsonb_array_elements_text(${wanted}::jsonb))
                order by l.environment_id for update of l) stale
              where e.org_id = ${org} and e.environment_id = stale.environment_id`
          })
        })
    }
  })
)
