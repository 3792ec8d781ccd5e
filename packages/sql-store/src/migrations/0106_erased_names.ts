/**
 * Erasure of the names of people who wrote: of actors in the journal, of creators in records, and of accounts.
 * DECISION B-389, B-390
 *
 * WHY functions: the application may change neither an entry nor a record that is otherwise only added.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { openFunctions } from "./internal/TenantTable.js"

/** Columns that can hold personal members; others are refused. */
const WRITABLE = `values ('allow_list', 'reason'), ('allow_list', 'created_by'), ('approval', 'request'),
  ('approval', 'created_by'), ('artifact', 'report'), ('artifact', 'created_by'), ('attestation', 'body'),
  ('attestation', 'digest'), ('attestation', 'created_by'), ('attestation_type', 'description'),
  ('attestation_type', 'versions'), ('attestation_type', 'created_by'), ('control', 'description'),
  ('control', 'created_by'), ('control_version', 'description'), ('control_version', 'created_by'),
  ('environment', 'description'), ('flow', 'description'), ('membership_event', 'changed_by'),
  ('membership_event', 'changed_by_folded'), ('policy', 'description'), ('policy', 'created_by'),
  ('policy_version', 'comment'), ('policy_version', 'created_by'), ('repo', 'description'),
  ('service_account', 'description'), ('trail', 'details'), ('trail', 'created_by')`

const OWN = "current_setting('attestry.org_id', true)"

/** An entry without some members; without a name the actor keeps the one it has. */
const journalErase = (sql: SqlClient.SqlClient) =>
  Effect.all([
    sql`drop function journal_erase(int8, text, text, jsonb)`,
    sql`create function journal_erase(of int8, left_content text, left_digest text, remains jsonb,
        left_actor text default null)
      returns void language sql volatile security definer set search_path = attestry, pg_temp
      as $$
        update journal set content = convert_to(left_content, 'UTF8'), digest = decode(left_digest, 'hex'),
            actor_name = coalesce(left_actor, actor_name)
          where org_id = ${sql.literal(OWN)} and sequence = of;
        update log_leaf set salt = null, disclosures = remains
          where org_id = ${sql.literal(OWN)} and sequence = of;
      $$`
  ])

/** WHY a column of type `json` is given as a text: its members have an order. */
const recordErase = (sql: SqlClient.SqlClient) =>
  sql`create or replace function record_erase(tab text, place tid, col text, val jsonb) returns void
    language plpgsql volatile security definer set search_path = attestry, pg_temp
    as $$
    declare kind text;
    begin
      if not exists (select from (${sql.literal(WRITABLE)}) w (t, c) where w.t = tab and w.c = col) then
        raise exception 'column % of % holds no personal members', col, tab;
      end if;
      select format_type(a.atttypid, null) into kind from pg_catalog.pg_attribute a
        where a.attrelid = format('attestry.%I', tab)::regclass and a.attname = col;
      execute format('update %I set %I = %s where org_id = $2 and ctid = $3', tab, col,
          case kind when 'text' then '$1 #>> ''{}''' when 'json' then '($1 #>> ''{}'')::json'
            else '$1' end)
        using val, ${sql.literal(OWN)}, place;
    end $$`

const allowanceErase = (sql: SqlClient.SqlClient) =>
  sql`create or replace function allowance_erase(env text, texts text[], left_reason text) returns void
    language sql volatile security definer set search_path = attestry, pg_temp
    as $$
      update allowance set
          reason = case when reason = any(texts) then left_reason else reason end,
          created_by = case when created_by = any(texts) then left_reason else created_by end
        where org_id = ${sql.literal(OWN)} and environment_id = env
          and (reason = any(texts) or created_by = any(texts))
    $$`

const creatorErase = (sql: SqlClient.SqlClient) =>
  sql`create function creator_erase(notification int4, texts text[], left_name text) returns void
    language sql volatile security definer set search_path = attestry, pg_temp
    as $$
      update environment_notification set created_by = left_name
        where org_id = ${sql.literal(OWN)} and number = notification and created_by = any(texts)
    $$`

/** WHY an account stays while another org has its user: that org knows the person by the names of the account. */
const personErase = (sql: SqlClient.SqlClient) =>
  sql`create function person_erase(who text, texts text[], left_name text, left_login text) returns void
    language plpgsql volatile security definer set search_path = attestry, pg_temp
    as $$
    declare stays boolean;
    begin
      update membership_event set user_name = left_name, user_folded = lower(left_name)
        where org_id = ${sql.literal(OWN)} and user_id = who and user_name = any(texts);
      perform set_config('attestry.user_id', who, true);
      stays := exists (select from membership where user_id = who and org_id <> ${sql.literal(OWN)})
        or not exists (select from membership where user_id = who
          union all select from membership_event where org_id = ${sql.literal(OWN)} and user_id = who);
      perform set_config('attestry.user_id', '', true);
      if stays then
        return;
      end if;
      update app_user set
          login = case when login = any(texts) then left_login else login end,
          display_name = case when display_name = any(texts) then left_name else display_name end,
          email = case when email = any(texts) then left_name else email end
        where user_id = who
          and (login = any(texts) or display_name = any(texts) or email = any(texts));
      update denied_attempt set actor_name = left_name
        where actor_id = who and actor_name = any(texts);
    end $$`

/** Adds and replaces functions. */
export const erasedNames = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* journalErase(sql)
  yield* recordErase(sql)
  yield* allowanceErase(sql)
  yield* creatorErase(sql)
  yield* personErase(sql)
  yield* openFunctions(sql, [
    "journal_erase(int8, text, text, jsonb, text)",
    "creator_erase(int4, text[], text)",
    "person_erase(text, text[], text, text)"
  ])
})
