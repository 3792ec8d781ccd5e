/**
 * Lets PostgreSQL count the rows of tables that have rows and were never analyzed, as after a restore.
 *
 * Nothing is gathered about columns (`schema/statistics.sql`). Autovacuum may take minutes to come by. Nothing is done
 * by a role that does not own the tables.
 */
import { StoreError } from "@attestry/core/StoreError"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { SCHEMA } from "../../schema/internal/SchemaNames.js"

/** Analyzes the tables that have rows and were never analyzed. */
export const gather: Effect.Effect<void, StoreError, SqlClient.SqlClient> = Effect.gen(
  function* () {
    const sql = yield* SqlClient.SqlClient
    const tables = yield* sql<{ readonly name: string }>`select c.relname as name
      from pg_class c join pg_stat_user_tables s on s.relid = c.oid
      where s.schemaname = ${SCHEMA} and s.analyze_count + s.autoanalyze_count = 0
        and pg_has_role(c.relowner, 'usage') and pg_relation_size(c.oid) > 0
      order by c.relname`
    yield* Effect.forEach(tables, ({ name }) => sql`analyze ${sql(SCHEMA)}.${sql(name)}`)
  }
).pipe(Effect.mapError((cause) => new StoreError({ operation: "analyze", cause })))
