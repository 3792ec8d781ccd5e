/**
 * Erasure of personal members: what is left of the salts of an entry, and the only ways to change a journal row and a
 * record that is otherwise only added. WHY functions: the application may do neither by itself.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { openFunctions, withoutStatistics } from "./internal/TenantTable.js"

/** Columns that can hold personal members, with the key of their table; others are refused. */
const WRITABLE = `values ('allow_list', 'reason'), ('approval', 'request'), ('artifact', 'report'),
  ('attestation', 'body'), ('attestation', 'digest'), ('attestation_type', 'description'),
  ('control', 'description'), ('control_version', 'description'), ('environment', 'description'),
  ('flow', 'description'), ('policy', 'description'), ('policy_version', 'comment'),
  ('repo', 'description'), ('service_account', 'description'), ('trail', 'details')`

const journalErase = (sql: SqlClient.SqlClient) =>
  sql`create function journal_erase(of int8, left_content text, left_digest text, remains jsonb)
    returns void language sql volatile security definer set search_path = attestry, pg_temp
    as $$
      update journal set content = convert_to(left_content, 'UTF8'), digest = decode(left_digest, 'hex')
        where org_id = current_setting('attestry.org_id', true) and sequence = of;
      update log_leaf set salt = null, disclosures = remains
        where org_id = current_setting('attestry.org_id', true) and sequence = of;
    $$`

const recordErase = (sql: SqlClient.SqlClient) =>
  sql`create function record_erase(tab text, place tid, col text, val jsonb) returns void
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
          case kind when 'text' then '$1 #>> ''{}''' else '$1' end)
        using val, current_setting('attestry.org_id', true), place;
    end $$`

/** Adds a column and functions. */
export const erasure = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table log_leaf add column disclosures jsonb`
  yield* journalErase(sql)
  yield* recordErase(sql)
  yield* openFunctions(sql, [
    "journal_erase(int8, text, text, jsonb)",
    "record_erase(text, tid, text, jsonb)"
  ])
  yield* withoutStatistics(sql)
})
