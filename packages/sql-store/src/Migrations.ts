/** Brings a database to the schema that this program needs. */
import { StoreError } from "@attestry/core/StoreError"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as SchemaFiles from "./schema/internal/SchemaFiles.js"
import * as SchemaUpgrade from "./schema/internal/SchemaUpgrade.js"

/** The table of the migrations that have run. */
export const TABLE = SchemaUpgrade.TABLE

/** The number of the newest migration. */
export const latest = (): number => SchemaUpgrade.latestOf(SchemaFiles.read())

/** A database that a process which only reads may not migrate, and cannot read as it is. */
export class BehindProgram extends Data.TaggedError("BehindProgram")<{
  readonly migration: number
  readonly latest: number
}> {
  override get message(): string {
    const { migration, latest: wanted } = this
    return (
      `the database is at migration ${migration} of ${wanted}, and this process only reads: ` +
      "migrate its primary with `attestry-server migrate`, or start a writer of this release, and wait " +
      "until the standby has it"
    )
  }
}

/** The newest migration of the database; 0 where it has none. */
const current = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<{
    readonly there: boolean
  }>`select to_regclass(${TABLE}) is not null as there`
  if (found?.there !== true) return 0
  const [row] = yield* sql<{
    readonly migration: number
  }>`select coalesce(max(migration_id), 0)::int4 as migration
    from ${sql(TABLE)}`
  return row?.migration ?? 0
})

/** Fails unless the database has everything that this program needs; writes nothing. */
export const check: Effect.Effect<void, StoreError, SqlClient.SqlClient> = current.pipe(
  Effect.flatMap((migration) =>
    migration < latest() ? new BehindProgram({ migration, latest: latest() }) : Effect.void
  ),
  Effect.mapError((cause) => new StoreError({ operation: "check", cause }))
)

/**
 * Creates the schema in a new database, or runs the migrations that an existing one lacks; the client must be the owner
 * and have the schema in its search path.
 */
export const run: Effect.Effect<void, StoreError, SqlClient.SqlClient> = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => Effect.suspend(() => SchemaUpgrade.run(sql, SchemaFiles.read()))
).pipe(
  // WHY: undoing a transaction whose connection was ended is a defect; here it is a failure of the store.
  Effect.catchAllCause(
    (cause) => new StoreError({ operation: "migrate", cause: Cause.squash(cause) })
  )
)
