/**
 * Workload identity: rules of service accounts for id tokens, tokens that were used, and the keys of issuers.
 *
 * Issuers are global: several orgs may trust one. The application reaches them only through these functions.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { openFunctions, protect, withoutStatistics } from "./internal/TenantTable.js"

const CLOCK = "(extract(epoch from clock_timestamp()) * 1000000)::int8"

const tenantTables = (sql: SqlClient.SqlClient) =>
  Effect.all([
    sql`create table identity_rule (
      org_id text collate "C" not null references org,
      service_account_id text collate "C" not null,
      rules jsonb not null,
      primary key (org_id, service_account_id),
      foreign key (org_id, service_account_id) references service_account on delete cascade
    )`,
    sql`create table identity_token_use (
      org_id text collate "C" not null references org,
      token text collate "C" not null,
      ends_at int8 not null,
      primary key (org_id, token)
    )`,
    sql`create index identity_token_use_by_end on identity_token_use (org_id, ends_at)`
  ])

const globalTables = (sql: SqlClient.SqlClient) =>
  Effect.all([
    sql`create table oidc_issuer (
      issuer text collate "C" primary key,
      keys jsonb not null,
      fetched_at int8,
      tried_at int8,
      wanted_at int8,
      error text
    )`,
    // WHY apart: rules are in tables of orgs, and who names an issuer must be known without them.
    sql`create table oidc_issuer_use (
      issuer text collate "C" not null,
      org_id text collate "C" not null,
      service_account_id text collate "C" not null,
      primary key (issuer, org_id, service_account_id),
      foreign key (org_id, service_account_id) references service_account on delete cascade
    )`,
    sql`create index oidc_issuer_use_by_account on oidc_issuer_use (org_id, service_account_id)`
  ])

const issuerFunctions = (sql: SqlClient.SqlClient) => {
  const clock = sql.literal(CLOCK)
  return Effect.all([
    sql`create function oidc_issuer_name(org text, account text, named text[]) returns void
      language sql security definer set search_path = attestry, pg_temp
      as $$
        -- Keys of an issuer that no rule named meanwhile are not trusted again without a fetch.
        delete from oidc_issuer i where not exists
          (select from oidc_issuer_use u where u.issuer = i.issuer);
        delete from oidc_issuer_use u where u.org_id = org and u.service_account_id = account
          and org = current_setting('attestry.org_id', true);
        insert into oidc_issuer_use select distinct n, org, account from unnest(named) n
          where org = current_setting('attestry.org_id', true);
        insert into oidc_issuer select distinct n, '[]'::jsonb from unnest(named) n
          on conflict do nothing;
        delete from oidc_issuer i where not exists
          (select from oidc_issuer_use u where u.issuer = i.issuer);
      $$`,
    sql`create function oidc_issuer_get(wanted text)
      returns table (issuer text, keys jsonb, fetched_at int8)
      language sql stable security definer set search_path = attestry, pg_temp
      as $$ select i.issuer, i.keys, i.fetched_at from oidc_issuer i where i.issuer = wanted
        and exists (select from oidc_issuer_use u where u.issuer = wanted) $$`,
    sql`create function oidc_issuer_want(wanted text, within_seconds int8) returns setof boolean
      language plpgsql security definer set search_path = attestry, pg_temp
      as $$
      begin
        update oidc_issuer i set wanted_at = ${clock} where i.issuer = wanted
          and coalesce(i.tried_at, 0) <= ${clock} - within_seconds * 1000000
          and coalesce(i.wanted_at, 0) <= ${clock} - within_seconds * 1000000;
        return query select true from oidc_issuer i where i.issuer = wanted
          and coalesce(i.tried_at, 0) <= ${clock} - within_seconds * 1000000
          and exists (select from oidc_issuer_use u where u.issuer = wanted);
      end
      $$`,
    sql`create function oidc_issuer_due(after_seconds int8) returns table (issuer text)
      language sql stable security definer set search_path = attestry, pg_temp
      as $$ select i.issuer from oidc_issuer i
        where (i.wanted_at is not null
            or coalesce(i.tried_at, 0) <= ${clock} - after_seconds * 1000000)
          and exists (select from oidc_issuer_use u where u.issuer = i.issuer)
        order by 1 $$`,
    sql`create function oidc_issuer_save(wanted text, found jsonb) returns void
      language sql security definer set search_path = attestry, pg_temp
      as $$ update oidc_issuer set keys = found, fetched_at = ${clock}, tried_at = ${clock},
        wanted_at = null, error = null where issuer = wanted $$`,
    sql`create function oidc_issuer_fail(wanted text, reason text) returns void
      language sql security definer set search_path = attestry, pg_temp
      as $$ update oidc_issuer set tried_at = ${clock}, wanted_at = null, error = reason
        where issuer = wanted $$`,
    sql`create function api_key_forget(org text, account text, before int8) returns void
      language sql security definer set search_path = attestry, pg_temp
      as $$ delete from api_key k where k.account_org_id = org and k.service_account_id = account
        and org = current_setting('attestry.org_id', true)
        and k.expires_at = k.grace_period_expires_at and k.expires_at < before $$`
  ])
}

/** Adds workload identity. */
export const workloadIdentity = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* tenantTables(sql)
  yield* globalTables(sql)
  yield* issuerFunctions(sql)
  yield* protect(sql, "identity_rule", "select, insert, delete")
  yield* sql`grant update (rules) on identity_rule to attestry_app`
  yield* protect(sql, "identity_token_use", "select, insert, delete")
  yield* openFunctions(sql, [
    "oidc_issuer_name(text, text, text[])",
    "oidc_issuer_get(text)",
    "oidc_issuer_want(text, int8)",
    "oidc_issuer_due(int8)",
    "oidc_issuer_save(text, jsonb)",
    "oidc_issuer_fail(text, text)",
    "api_key_forget(text, text, int8)"
  ])
  yield* withoutStatistics(sql)
})
