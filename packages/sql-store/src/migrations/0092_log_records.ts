/**
 * Verification reads the org and the keys of its service accounts, which are global. WHY a function: the
 * application may not
 * read these tables. The public keys that have signed a log are kept with it, retired ones included.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { openFunctions, protect, withoutStatistics } from "./internal/TenantTable.js"

/** Adds functions and a table. */
export const logRecords = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create function record_api_keys() returns table (id text, owner jsonb, description text,
      digest text, created_at int8, expires_at int8, revoked_at int8, grace_period_expires_at int8,
      last_used_at int8)
    language sql stable security definer set search_path = attestry, pg_temp
    as $$
      select k.key_id, jsonb_strip_nulls(jsonb_build_object('kind', 'service-account',
          'org_id', k.account_org_id, 'service_account_id', k.service_account_id,
          'user_id', k.user_id)), k.description, k.digest, k.created_at,
        k.expires_at, k.revoked_at, k.grace_period_expires_at, k.last_used_at
      from api_key k where k.account_org_id = current_setting('attestry.org_id', true)
    $$`
  yield* sql`create function record_org() returns table (id text, name text, created_at int8)
    language sql stable security definer set search_path = attestry, pg_temp
    as $$
      select o.org_id, o.name, o.created_at from org o
      where o.org_id = current_setting('attestry.org_id', true)
    $$`
  yield* sql`create table log_key (
    org_id text collate "C" not null references org,
    vkey text not null,
    generation int4 not null,
    first_size int8 not null,
    retired_at int8,
    primary key (org_id, vkey)
  )`
  yield* protect(sql, "log_key", "select, insert")
  yield* sql`grant update (retired_at) on log_key to attestry_app`
  yield* withoutStatistics(sql)
  yield* openFunctions(sql, ["record_api_keys()", "record_org()"])
})
