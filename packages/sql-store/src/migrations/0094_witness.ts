/**
 * Cosignatures of witnesses on our checkpoints, and what we have cosigned of logs of others.
 *
 * WHY functions: what is witnessed belongs to no org, so no row-level security guards it.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { openFunctions, protect, withoutStatistics } from "./internal/TenantTable.js"

const tables = (sql: SqlClient.SqlClient) =>
  Effect.all([
    sql`create table log_cosignature (
      org_id text collate "C" not null,
      epoch int4 not null,
      size int8 not null,
      witness text collate "C" not null,
      key_id text collate "C" not null,
      line text not null,
      at int8 not null,
      primary key (org_id, epoch, key_id, size)
    )`,
    sql`create index log_cosignature_by_size on log_cosignature (org_id, epoch, size)`,
    sql`create table witness_log (
      origin text collate "C" primary key,
      size int8 not null,
      root text not null,
      note text not null
    )`
  ])

/** A log that was never cosigned has an empty note while its first request is under way. */
const functions = (sql: SqlClient.SqlClient) =>
  Effect.all([
    sql`create function witness_log_list() returns table (origin text, size int8, root text, note text)
      language sql stable security definer set search_path = attestry, pg_temp
      as $$ select w.origin, w.size, w.root, w.note from witness_log w where w.note <> '' order by w.origin $$`,
    sql`create function witness_log_get(named text)
      returns table (origin text, size int8, root text, note text)
      language sql stable security definer set search_path = attestry, pg_temp
      as $$ select w.origin, w.size, w.root, w.note from witness_log w
        where w.origin = named and w.note <> '' $$`,
    sql`create function witness_log_advance(named text, from_size int8, next_size int8, next_root text,
        next_note text) returns setof boolean
      language plpgsql volatile security definer set search_path = attestry, pg_temp
      as $$
      begin
        insert into witness_log (origin, size, root, note) values (named, 0, '', '')
          on conflict do nothing;
        return query update witness_log w set size = next_size, root = next_root, note = next_note
          where w.origin = named and w.size = from_size returning true;
      end $$`
  ])

/** Adds tables and functions. */
export const witness = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* tables(sql)
  yield* protect(sql, "log_cosignature", "select, insert")
  yield* functions(sql)
  yield* openFunctions(sql, [
    "witness_log_list()",
    "witness_log_get(text)",
    "witness_log_advance(text, int8, int8, text, text)"
  ])
  yield* withoutStatistics(sql)
})
