/** Brings a database to the schema that this program needs. */
import { StoreError } from "@attestry/core/StoreError"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as SchemaFiles from "./schema/internal/SchemaFiles.js"
import * as SchemaUpgrade from "./schema/internal/SchemaUpgrade.js"

/** The table of the migrations that have run. */
export const TABLE = SchemaUpgrade.TABLE

/** The number of the newest migration. */
export const latest = (): number => SchemaUpgrade.latestOf(SchemaFiles.read())

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
