/** `StoreHealth` on PostgreSQL: reachable, migrated, writable, and set to keep what it acknowledges (P-BOOT). */
import { StoreHealth, StoreUnhealthy } from "@attestry/core/StoreHealth"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Migrations from "../../Migrations.js"
import * as Primary from "./Primary.js"
import { standbyIn } from "./SqlFailure.js"

interface Facts {
  readonly fsync: string
  readonly full_page_writes: string
  readonly synchronous_commit: string
  readonly migration: number
}

const reasonsOf = (facts: Facts, latest: number): ReadonlyArray<string> => [
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

/** How long a write that succeeded is not repeated: readiness needs no key, and each write costs a commit. */
const WRITTEN_FOR_MS = 1_000

const rootMessage = (error: unknown): string => {
  if (Predicate.hasProperty(error, "cause") && error.cause !== undefined) {
    return rootMessage(error.cause)
  }
  return Predicate.hasProperty(error, "message") ? String(error.message) : String(error)
}

/** Writes a row, as background work under a lease does; this one has no lease. */
const makeWrite = (sql: SqlClient.SqlClient): Effect.Effect<void, StoreUnhealthy> => {
  let writtenAt = Number.NEGATIVE_INFINITY
  return Effect.clockWith((clock) => {
    const now = clock.unsafeCurrentTimeMillis()
    if (now - writtenAt < WRITTEN_FOR_MS) return Effect.void
    return sql`select background_lease_acquire('readiness', 0)`.pipe(
      Effect.tap(() =>
        Effect.sync(() => {
          writtenAt = now
        })
      ),
      Effect.asVoid,
      Effect.mapError(
        (error) =>
          new StoreUnhealthy({ reasons: [`the database takes no writes: ${rootMessage(error)}`] })
      )
    )
  })
}

/** `StoreHealth` on PostgreSQL; a process that only reads needs no database that takes writes. */
export const layer: Layer.Layer<StoreHealth, never, SqlClient.SqlClient> = Layer.effect(
  StoreHealth,
  Effect.map(Effect.all([SqlClient.SqlClient, Primary.IsReading]), ([sql, isReading]) => {
    const write = isReading ? Effect.void : makeWrite(sql)
    const latest = Migrations.latest()
    const facts = sql<Facts>`select current_setting('fsync') as fsync,
        current_setting('full_page_writes') as full_page_writes,
        current_setting('synchronous_commit') as synchronous_commit,
        (select coalesce(max(migration_id), 0) from ${sql(Migrations.TABLE)}) as migration`.pipe(
      Effect.mapError(
        (error) =>
          new StoreUnhealthy({
            reasons: [standbyIn(error)?.message ?? "the database cannot be reached"]
          })
      ),
      Effect.flatMap(([facts]) => {
        const [first, ...others] =
          facts === undefined ? ["the database gave no answer"] : reasonsOf(facts, latest)
        return first === undefined
          ? Effect.void
          : new StoreUnhealthy({ reasons: [first, ...others] })
      })
    )
    const late = () => new StoreUnhealthy({ reasons: ["the database cannot be reached"] })
    return {
      check: Effect.timeoutFail(Effect.zipRight(facts, write), {
        duration: "2 seconds",
        onTimeout: late
      })
    }
  })
)
