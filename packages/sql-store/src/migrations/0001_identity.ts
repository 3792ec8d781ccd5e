/**
 * Orgs, users, memberships and credentials.
 *
 * Orgs, users and credentials are global: the application reaches them only through the functions below,
 * each of which answers one question. Memberships belong to their org; a credential's own function may
 * read those of its user.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { APPLICATION_ROLE, protect } from "./TenantTable.js"

const tables = (sql: SqlClient.SqlClient) =>
  Effect.all([
    sql`create table org (
      org_id text collate "C" primary key,
      name text collate "C" not null unique,
      created_at int8 not null
    )`,
    sql`create table app_user (
      user_id text collate "C" primary key,
      login text collate "C" not null unique,
      display_name text,
      email text,
      created_at int8 not null
    )`,
    sql`create table membership (
      org_id text collate "C" not null references org,
      user_id text collate "C" not null references app_user,
      role text not null check (role in ('admin', 'member', 'snapshotter', 'reader')),
      created_at int8 not null,
      primary key (org_id, user_id)
    )`,
    sql`create index membership_by_user on membership (user_id)`,
    sql`create table api_key (
      key_id text collate "C" primary key,
      user_id text collate "C" not null references app_user,
      description text not null,
      digest text collate "C" not null,
      created_at int8 not null,
      expires_at int8,
      revoked_at int8
    )`
  ])

const functions = (sql: SqlClient.SqlClient) =>
  Effect.all([
    sql`create function org_by_name(wanted text) returns setof org
      language sql stable security definer set search_path = attestry, pg_temp
      as $$ select * from org where name = wanted $$`,
    sql`create function org_is_empty() returns boolean
      language sql stable security definer set search_path = attestry, pg_temp
      as $$ select not exists (select from org) $$`,
    sql`create function org_insert(id text, new_name text, at int8) returns setof text
      language sql security definer set search_path = attestry, pg_temp
      as $$ insert into org values (id, new_name, at) on conflict do nothing returning org_id $$`,
    sql`create function org_insert_first(id text, new_name text, at int8) returns setof text
      language plpgsql security definer set search_path = attestry, pg_temp
      as $$
      begin
        lock table org in share row exclusive mode;
        return query insert into org select id, new_name, at where not exists (select from org)
          returning org_id;
      end
      $$`,
    sql`create function user_by_login(wanted text) returns setof app_user
      language sql stable security definer set search_path = attestry, pg_temp
      as $$ select * from app_user where login = wanted $$`,
    sql`create function user_insert(id text, new_login text, display text, mail text, at int8)
      returns setof text
      language sql security definer set search_path = attestry, pg_temp
      as $$ insert into app_user values (id, new_login, display, mail, at)
        on conflict do nothing returning user_id $$`,
    sql`create function api_key_insert(
        id text, owner text, note text, hash text, at int8, expires int8
      ) returns void
      language sql security definer set search_path = attestry, pg_temp
      as $$ insert into api_key values (id, owner, note, hash, at, expires, null) $$`,
    sql`create function credential_by_id(wanted text) returns table (
        key_id text, user_id text, description text, digest text, created_at int8, expires_at int8,
        revoked_at int8, name text, memberships jsonb, now int8
      )
      language plpgsql security definer set search_path = attestry, pg_temp
      as $$
      declare
        owner text := (select k.user_id from api_key k where k.key_id = wanted);
      begin
        perform set_config('attestry.user_id', coalesce(owner, ''), true);
        return query
          select k.key_id, k.user_id, k.description, k.digest, k.created_at, k.expires_at, k.revoked_at,
            coalesce(u.display_name, u.login),
            coalesce(
              (select jsonb_agg(jsonb_build_object('org_id', m.org_id, 'org', o.name, 'role', m.role))
                from membership m join org o on o.org_id = m.org_id where m.user_id = k.user_id),
              '[]'::jsonb),
            (extract(epoch from clock_timestamp()) * 1000000)::int8
          from api_key k join app_user u on u.user_id = k.user_id
          where k.key_id = wanted;
        perform set_config('attestry.user_id', '', true);
      end
      $$`
  ])

/** The functions through which the application reaches the global tables; there is no other way. */
export const GLOBAL_FUNCTIONS = [
  "org_by_name(text)",
  "org_is_empty()",
  "org_insert(text, text, int8)",
  "org_insert_first(text, text, int8)",
  "user_by_login(text)",
  "user_insert(text, text, text, text, int8)",
  "api_key_insert(text, text, text, text, int8, int8)",
  "credential_by_id(text)"
] as const

/** Orgs, users, memberships and credentials. */
export const identity = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* tables(sql)
  yield* protect(sql, "membership", "select, insert, update, delete")
  yield* sql`create policy own_user on membership for select
    using (user_id = nullif(current_setting('attestry.user_id', true), ''))`
  yield* functions(sql)
  for (const signature of GLOBAL_FUNCTIONS) {
    yield* sql`revoke all on function ${sql.literal(signature)} from public`
    yield* sql`grant execute on function ${sql.literal(signature)} to ${sql(APPLICATION_ROLE)}`
  }
})
