/**
 * How a table of tenants is closed off: row-level security, enabled and forced, by the org that the
 * transaction has named; and what the application may do with its rows. DECISION S5, P-RLS
 */
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"

/** The role that the application works as: not the owner of anything, and bound by every policy. */
export const APPLICATION_ROLE = "attestry_app"

/** The schema that holds everything. */
export const SCHEMA = "attestry"

/**
 * A setting of functions that look everything up by key: one plan serves every call.
 *
 * WHY: making a plan for each of the first calls of a connection costs many times what the call does.
 */
export const KEYED = "set plan_cache_mode = force_generic_plan"

/** What the application may do with a table's rows. */
export type Grant =
  | "select, insert"
  | "select, insert, delete"
  | "select, insert, update"
  | "select, insert, update, delete"

/** Closes a table off and opens it to the application, one org at a time. */
export const protect = (
  sql: SqlClient,
  table: string,
  grant: Grant
): Effect.Effect<void, SqlError> =>
  Effect.gen(function* () {
    const name = sql(table)
    yield* sql`alter table ${name} enable row level security`
    yield* sql`alter table ${name} force row level security`
    yield* sql`create policy own_org on ${name}
      using (org_id = current_setting('attestry.org_id', true))
      with check (org_id = current_setting('attestry.org_id', true))`
    yield* sql`grant ${sql.literal(grant)} on ${name} to ${sql(APPLICATION_ROLE)}`
  })

/**
 * Makes ANALYZE gather nothing about the columns that there are, whose plans are to be the same with and without it.
 * A migration that adds columns, or an index on an expression, does this again. See `0068_no_statistics`.
 */
export const withoutStatistics = (sql: SqlClient) => sql`do $$
  declare command text;
  begin
    for command in select format('alter %s %s alter column %s set statistics 0',
        case c.relkind when 'r' then 'table' else 'index' end, c.oid::regclass,
        case c.relkind when 'r' then quote_ident(a.attname) else a.attnum::text end)
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        left join pg_index i on i.indexrelid = c.oid
      where c.relnamespace = '${sql.literal(SCHEMA)}'::regnamespace
        and (c.relkind = 'r' or i.indkey[a.attnum - 1] = 0)
        and coalesce(a.attstattarget, -1) <> 0
    loop
      execute command;
    end loop;
  end $$`

/** Opens functions that run as the owner to the application role only. */
export const openFunctions = (
  sql: SqlClient,
  signatures: ReadonlyArray<string>
): Effect.Effect<void, SqlError> =>
  Effect.forEach(
    signatures,
    (signature) =>
      Effect.zipRight(
        sql`revoke all on function ${sql.literal(signature)} from public`,
        sql`grant execute on function ${sql.literal(signature)} to ${sql(APPLICATION_ROLE)}`
      ),
    { discard: true }
  )
