/**
 * The functions through which the application reaches orgs, users and credentials; there is no other way.
 *
 * Each runs as the owner, with a pinned search path, and answers one question.
 */
import type { SqlClient } from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

const orgs = (sql: SqlClient) => [
  sql`create function org_by_name(wanted text) returns setof org
    language sql stable security definer set search_path = attestry, pg_temp
    as $$ select * from org where name = wanted $$`,
  sql`create function org_list() returns setof org
    language sql stable security definer set search_path = attestry, pg_temp
    as $$ select * from org order by name $$`,
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
    $$`
]

const users = (sql: SqlClient) => [
  sql`create function user_by_login(wanted text) returns setof app_user
    language sql stable security definer set search_path = attestry, pg_temp
    as $$ select * from app_user where login = wanted $$`,
  sql`create function user_insert(id text, new_login text, display text, mail text, at int8)
    returns setof text
    language sql security definer set search_path = attestry, pg_temp
    as $$ insert into app_user values (id, new_login, display, mail, at, null)
      on conflict do nothing returning user_id $$`,
  sql`create function user_default_org(wanted text) returns setof text
    language sql stable security definer set search_path = attestry, pg_temp
    as $$ select default_org_id from app_user
      where user_id = wanted and default_org_id is not null $$`,
  sql`create function user_set_default_org(wanted text, org text) returns setof text
    language sql security definer set search_path = attestry, pg_temp
    as $$ update app_user set default_org_id = org
      where user_id = wanted and default_org_id is distinct from org returning user_id $$`,
  sql`create function user_orgs(wanted text) returns table (org_id text, org text, role text)
    language plpgsql security definer set search_path = attestry, pg_temp
    as $$
    begin
      perform set_config('attestry.user_id', wanted, true);
      return query select m.org_id, o.name, m.role
        from membership m join org o on o.org_id = m.org_id
        where m.user_id = wanted order by m.created_at, m.org_id;
      perform set_config('attestry.user_id', '', true);
    end
    $$`
]

const keys = (sql: SqlClient) => [
  sql`create function api_key_insert(
      id text, person text, org text, account text, note text, hash text, at int8, expires int8
    ) returns void
    language sql security definer set search_path = attestry, pg_temp
    as $$ insert into api_key values (id, person, org, account, note, hash, at, expires,
      null, null, null) $$`,
  sql`create function api_key_of(person text, org text, account text, wanted text)
    returns setof api_key
    language sql stable security definer set search_path = attestry, pg_temp
    as $$ select * from api_key k where k.key_id = wanted and (k.user_id = person
      or (k.account_org_id = org and k.service_account_id = account)) $$`,
  sql`create function api_key_lock(person text, org text, account text, wanted text)
    returns setof api_key
    language sql security definer set search_path = attestry, pg_temp
    as $$ select * from api_key k where k.key_id = wanted and (k.user_id = person
      or (k.account_org_id = org and k.service_account_id = account)) for update $$`,
  sql`create function api_key_list(person text, org text, account text, at int8)
    returns setof api_key
    language sql stable security definer set search_path = attestry, pg_temp
    as $$ select * from api_key k
      where (k.user_id = person or (k.account_org_id = org and k.service_account_id = account))
        and coalesce(at < k.revoked_at, true) and coalesce(at < k.expires_at, true)
        and coalesce(at < k.grace_period_expires_at, true)
      order by k.created_at, k.key_id $$`,
  sql`create function api_key_end(wanted text, revoked int8, grace int8) returns void
    language sql security definer set search_path = attestry, pg_temp
    as $$ update api_key set revoked_at = revoked, grace_period_expires_at = grace
      where key_id = wanted $$`,
  sql`create function api_key_remove(person text, org text, account text, wanted text)
    returns void
    language sql security definer set search_path = attestry, pg_temp
    as $$ delete from api_key k where k.key_id = wanted and (k.user_id = person
      or (k.account_org_id = org and k.service_account_id = account)) $$`,
  // WHY the locks in order: two processes that write the same keys must not wait for each other.
  sql`create function api_key_touch(uses jsonb) returns void
    language sql security definer set search_path = attestry, pg_temp
    as $$
      with used as (select * from jsonb_to_recordset(uses) as u (id text, at int8)),
        held as (select k.key_id from api_key k where k.key_id in (select id from used)
          order by k.key_id for no key update)
      update api_key k set last_used_at = greatest(k.last_used_at, u.at)
        from held h join used u on u.id = h.key_id where k.key_id = h.key_id
    $$`
]

const credential = (sql: SqlClient) => sql`create function credential_by_id(wanted text)
    returns table (key api_key, name text, memberships jsonb, now int8)
    language plpgsql security definer set search_path = attestry, pg_temp
    as $$
    declare
      held api_key;
      instant int8 := (extract(epoch from clock_timestamp()) * 1000000)::int8;
    begin
      select * into held from api_key k where k.key_id = wanted;
      if held.user_id is not null then
        perform set_config('attestry.user_id', held.user_id, true);
        return query select held, coalesce(u.display_name, u.login), coalesce(
            (select jsonb_agg(jsonb_build_object('org_id', m.org_id, 'org', o.name, 'role', m.role))
              from membership m join org o on o.org_id = m.org_id where m.user_id = held.user_id),
            '[]'::jsonb), instant
          from app_user u where u.user_id = held.user_id;
        perform set_config('attestry.user_id', '', true);
      elsif held.service_account_id is not null then
        perform set_config('attestry.service_account_id', held.service_account_id, true);
        return query select held, a.name, jsonb_build_array(
            jsonb_build_object('org_id', a.org_id, 'org', o.name, 'role', a.privilege)), instant
          from service_account a join org o on o.org_id = a.org_id
          where a.org_id = held.account_org_id
            and a.service_account_id = held.service_account_id;
        perform set_config('attestry.service_account_id', '', true);
      end if;
    end
    $$`

/** Makes the functions. */
export const functions = (sql: SqlClient) =>
  Effect.all([...orgs(sql), ...users(sql), ...keys(sql), credential(sql)])

/** The functions, by signature. */
export const GLOBAL_FUNCTIONS = [
  "org_by_name(text)",
  "org_list()",
  "org_is_empty()",
  "org_insert(text, text, int8)",
  "org_insert_first(text, text, int8)",
  "user_by_login(text)",
  "user_insert(text, text, text, text, int8)",
  "user_default_org(text)",
  "user_set_default_org(text, text)",
  "user_orgs(text)",
  "api_key_insert(text, text, text, text, text, text, int8, int8)",
  "api_key_of(text, text, text, text)",
  "api_key_lock(text, text, text, text)",
  "api_key_list(text, text, text, int8)",
  "api_key_end(text, int8, int8)",
  "api_key_remove(text, text, text, text)",
  "api_key_touch(jsonb)",
  "credential_by_id(text)"
] as const
