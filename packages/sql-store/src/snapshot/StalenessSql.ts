/** `Staleness` on PostgreSQL: an environment without digests evaluates its next report. */
import { Staleness } from "@attestry/core/Staleness"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as PendingWrites from "../shared/PendingWrites.js"
import type { SqlOrg } from "../shared/SqlOrg.js"
import * as SqlRows from "../shared/SqlRows.js"

const Reader = Schema.Struct({ environment_id: Schema.String })

/** `Staleness` on PostgreSQL. */
export const layer: Layer.Layer<Staleness, never, SqlClient.SqlClient | SqlOrg> = Layer.effect(
  Staleness,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* SqlRows.make
    const running: PendingWrites.Kind = {
      statement: (org, values) => sql`mark_running(${org}, ${values}::jsonb)`,
      isCall: true,
      isIdempotent: true
    }
    return {
      markReaders: (org, flow, part) =>
        Effect.gen(function* () {
          const operation = "Staleness.markReaders"
          // WHY two statements: the second sees what those have written whom the first waited for.
          const readers = yield* rows.all(Reader, {
            operation,
            org,
            statement: sql`select e.environment_id from environment e
              where e.org_id = ${org} and e.archived_at is null and e.type <> 'logical'
                and exists (select from environment g, jsonb_array_elements_text(g.policies) attached
                  join policy p on p.org_id = ${org} and p.policy_id = attached
                    and p.reads ? ${part}
                  where g.org_id = ${org} and g.archived_at is null
                    and (g.environment_id = e.environment_id
                      or g.included @> to_jsonb(array[e.environment_id])))
              order by e.environment_id for update of e`
          })
          if (readers.length === 0) return
          const ids = JSON.stringify(readers.map(({ environment_id }) => environment_id))
          yield* rows.run({
            operation,
            org,
            statement: sql`update environment e set body_digest = null, rows_digest = null
              where e.org_id = ${org}
                and e.environment_id in (select jsonb_array_elements_text(${ids}::jsonb))
                and exists (select from running_fingerprint f
                  join artifact a on a.org_id = f.org_id and a.fingerprint = f.fingerprint
                    and a.flow_id = ${flow}
                  where f.org_id = ${org} and f.environment_id = e.environment_id)`
          })
        }),
      markRunning: (org, fingerprints) =>
        fingerprints.length === 0
          ? Effect.void
          : Effect.forEach(
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
            )
    }
  })
)
