/** `StoreHealth` on PostgreSQL: reachable, migrated, and set to keep what it acknowledges (P-BOOT). */
import { StoreHealth, StoreUnhealthy } from "@attestry/core/StoreHealth"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { latest, TABLE } from "../Migrations.js"
import { standbyIn } from "./SqlFailure.js"

interface Facts {
  readonly fsync: string
  readonly full_page_writes: string
  readonly synchronous_commit: string
  readonly migration: number
}

const reasonsOf = (facts: Facts): ReadonlyArray<string> => [
  ...(["fsync", "full_page_writes", "synchronous_commit"] as const)
    .filter((setting) => facts[setting] === "off")
    .map(
      (setting) =>
        `PostgreSQL runs with ${setting}=off and may lose acknowledged writes: turn it on`
    ),
  ...(facts.migration < latest
    ? [
        `the database is at migration ${facts.migration} of ${latest}: run \`attestry-server migrate\``
      ]
    : [])
]

/** `StoreHealth` on PostgreSQL. */
export const layer: Layer.Layer<StoreHealth, never, SqlClient.SqlClient> = Layer.effect(
  StoreHealth,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    check: sql<Facts>`select current_setting('fsync') as fsync,
        current_setting('full_page_writes') as full_page_writes,
        current_setting('synchronous_commit') as synchronous_commit,
        (select coalesce(max(migration_id), 0) from ${sql(TABLE)}) as migration`.pipe(
      Effect.timeout("2 seconds"),
      Effect.mapError(
        (error) =>
          new StoreUnhealthy({
            reasons: [standbyIn(error)?.message ?? "the database cannot be reached"]
          })
      ),
      Effect.flatMap(([facts]) => {
        const [first, ...others] =
          facts === undefined ? ["the database gave no answer"] : reasonsOf(facts)
        return first === undefined
          ? Effect.void
          : new StoreUnhealthy({ reasons: [first, ...others] })
      })
    )
  }))
)
