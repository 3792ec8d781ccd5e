/**
 * Orgs, users, memberships, service accounts and credentials.
 *
 * Orgs, users and credentials are global: the application reaches them only through functions, each of
 * which answers one question. Memberships and service accounts belong to their org; a credential's own
 * function may read those of its owner.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { functions, GLOBAL_FUNCTIONS } from "./internal/IdentityFunctions.js"
import { openFunctions, protect } from "./internal/TenantTable.js"

const people = (sql: SqlClient.SqlClient) =>
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
      created_at int8 not null,
      default_org_id text collate "C" references org
    )`,
    sql`create table membership (
      org_id text collate "C" not null references org,
      user_id text collate "C" not null references app_user,
      role text not null check (role in ('admin', 'member', 'snapshotter', 'reader')),
      created_at int8 not null,
      primary key (org_id, user_id)
    )`,
    sql`create index membership_by_user on membership (user_id)`,
    // WHY the folded names: whether two letters differ in case alone is decided once, in core.
    sql`create table membership_event (
      org_id text collate "C" not null references org,
      event_id text collate "C" not null,
      user_id text collate "C" not null,
      user_name text collate "C" not null,
      changed_by text collate "C" not null,
      role text collate "C",
      previous_role text collate "C",
      source text collate "C" not null,
      created_at int8 not null,
      user_folded text collate "C" not null,
      changed_by_folded text collate "C" not null,
      primary key (org_id, event_id)
    )`,
    sql`create index membership_event_by_time on membership_event (org_id, created_at, event_id)`
  ])

const credentials = (sql: SqlClient.SqlClient) =>
  Effect.all([
    sql`create table service_account (
      org_id text collate "C" not null references org,
      service_account_id text collate "C" not null,
      name text collate "C" not null,
      privilege text not null check (privilege in ('admin', 'member', 'snapshotter', 'reader')),
      description text not null,
      creating_user_id text collate "C" not null,
      created_at int8 not null,
      primary key (org_id, service_account_id),
      unique (org_id, name)
    )`,
    sql`create table api_key (
      key_id text collate "C" primary key,
      user_id text collate "C" references app_user,
      account_org_id text collate "C",
      service_account_id text collate "C",
      description text not null,
      digest text collate "C" not null,
      created_at int8 not null,
      expires_at int8,
      revoked_at int8,
      grace_period_expires_at int8,
      last_used_at int8,
      check ((user_id is null) <> (service_account_id is null)),
      check ((account_org_id is null) = (service_account_id is null)),
      foreign key (account_org_id, service_account_id) references service_account
        on delete cascade
    ) with (fillfactor = 80)`,
    sql`create index api_key_by_user on api_key (user_id)`,
    sql`create index api_key_by_account on api_key (account_org_id, service_account_id)`
  ])

/** Orgs, users, memberships, service accounts and credentials. */
export const identity = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* people(sql)
  yield* credentials(sql)
  yield* protect(sql, "membership", "select, insert, update, delete")
  yield* protect(sql, "membership_event", "select, insert")
  yield* protect(sql, "service_account", "select, insert, update, delete")
  yield* sql`create policy own_user on membership for select
    using (user_id = nullif(current_setting('attestry.user_id', true), ''))`
  yield* sql`create policy own_account on service_account for select
    using (service_account_id = nullif(current_setting('attestry.service_account_id', true), ''))`
  yield* functions(sql)
  yield* openFunctions(sql, GLOBAL_FUNCTIONS)
})
