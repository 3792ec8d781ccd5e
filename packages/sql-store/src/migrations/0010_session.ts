/**
 * Browser sessions, and attempts that were denied.
 *
 * Both are global: a session is looked up before its user is known, and the org that was requested
 * may not exist. The application reaches them only through these functions.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { openFunctions } from "./internal/TenantTable.js"

const CLOCK = "(extract(epoch from clock_timestamp()) * 1000000)::int8"

const sessions = (sql: SqlClient.SqlClient) =>
  Effect.all([
    sql`create table session (
      session_id text collate "C" primary key,
      key_id text collate "C" not null references api_key on delete cascade,
      digest text collate "C" not null,
      created_at int8 not null,
      expires_at int8 not null
    )`,
    sql`create index session_by_end on session (expires_at)`,
    sql`create index session_by_key on session (key_id)`,
    sql`create function session_insert(id text, key text, hash text, seconds int8)
      returns setof session
      language sql security definer set search_path = attestry, pg_temp
      as $$
        delete from session where expires_at <= ${sql.literal(CLOCK)};
        insert into session select id, key, hash, at, at + seconds * 1000000
          from (select ${sql.literal(CLOCK)} as at) as clock returning *;
      $$`,
    sql`create function session_by_id(wanted text) returns setof session
      language sql stable security definer set search_path = attestry, pg_temp
      as $$ select * from session
        where session_id = wanted and expires_at > ${sql.literal(CLOCK)} $$`,
    sql`create function session_remove(wanted text) returns void
      language sql security definer set search_path = attestry, pg_temp
      as $$ delete from session where session_id = wanted $$`
  ])

const attempts = (sql: SqlClient.SqlClient) =>
  Effect.all([
    sql`create table denied_attempt (
      actor_id text collate "C" not null,
      operation text collate "C" not null,
      minute int8 not null,
      actor_kind text not null,
      actor_name text not null,
      key_id text collate "C" not null,
      org text collate "C" not null,
      at int8 not null,
      primary key (actor_id, operation, minute)
    )`,
    sql`create index denied_attempt_by_time on denied_attempt (at)`,
    sql`create function denied_attempt_insert(
        kind text, id text, name text, key text, asked text, wanted_org text, kept int8
      ) returns setof text
      language plpgsql security definer set search_path = attestry, pg_temp
      as $$
      declare
        instant int8 := ${sql.literal(CLOCK)};
      begin
        delete from denied_attempt d where d.at < instant - kept * 1000000;
        return query insert into denied_attempt
          values (id, asked, instant / 60000000, kind, name, key, wanted_org, instant)
          on conflict do nothing returning actor_id;
      end
      $$`,
    sql`create function denied_attempt_list(wanted_org text, most int4)
      returns setof denied_attempt
      language sql stable security definer set search_path = attestry, pg_temp
      as $$ select * from denied_attempt d where wanted_org is null or d.org = wanted_org
        order by d.at desc limit most $$`
  ])

/** Browser sessions, and attempts that were denied. */
export const session = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sessions(sql)
  yield* attempts(sql)
  yield* openFunctions(sql, [
    "session_insert(text, text, text, int8)",
    "session_by_id(text)",
    "session_remove(text)",
    "denied_attempt_insert(text, text, text, text, text, text, int8)",
    "denied_attempt_list(text, int4)"
  ])
})
