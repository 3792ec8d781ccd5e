/** `Staleness` on PostgreSQL: an environment without digests evaluates its next report. */
import { Staleness } from "@attestry/core/Staleness"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlOrg } from "../shared/SqlOrg.js"
import * as SqlRows from "../shared/SqlRows.js"

/** `Staleness` on PostgreSQL. */
export const layer: Layer.Layer<Staleness, never, SqlClient.SqlClient | SqlOrg> = Layer.effect(
  Staleness,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* SqlRows.make
    return {
      markRunning: (org, fingerprints) =>
        fingerprints.length === 0
          ? Effect.void
          : Effect.asVoid(
              rows.count({
                operation: "Staleness.markRunning",
                org,
                statement: sql`select mark_running(${org},
                  ${JSON.stringify([...new Set(fingerprints)])}::jsonb)`
              })
            )
    }
  })
)
