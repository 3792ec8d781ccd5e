/**
 * Where notifications go, and what is on its way: configurations, subscriptions, their targets, the outbox.
 *
 * What a worker does spans orgs, so it runs in functions as the owner; a policy of these tables shows the owner
 * all rows; the application still sees one org at a time. DECISION S5, S6
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { expiryFunctions, leaseFunctions } from "./internal/NotificationFunctions.js"
import { claimFunction, settleFunction, upkeepFunctions } from "./internal/OutboxFunctions.js"
import { APPLICATION_ROLE, openFunctions, protect } from "./internal/TenantTable.js"

const places = (sql: SqlClient.SqlClient) =>
  Effect.all([
    sql`create table notification_config (
      org_id text collate "C" not null references org,
      notification_type text collate "C" not null,
      last_notified_at int8,
      failed_at int8,
      error text,
      primary key (org_id, notification_type),
      check ((failed_at is null) = (error is null))
    )`,
    sql`create table environment_notification_number (
      org_id text collate "C" primary key references org,
      last int4 not null
    )`,
    sql`create table environment_notification (
      org_id text collate "C" not null references org,
      number int4 not null,
      name text not null,
      environments jsonb not null,
      triggers jsonb not null,
      created_at int8 not null,
      created_by text not null,
      last_modified_at int8 not null,
      primary key (org_id, number)
    )`,
    sql`create table notification_target (
      org_id text collate "C" not null references org,
      target_id text collate "C" not null,
      notification_type text collate "C",
      number int4,
      position int4 not null,
      target jsonb not null,
      context jsonb,
      last_success_at int8,
      last_failure_at int8,
      disabled_at int8,
      primary key (org_id, target_id),
      check ((notification_type is null) <> (number is null)),
      foreign key (org_id, notification_type) references notification_config,
      foreign key (org_id, number) references environment_notification on delete cascade
    ) with (fillfactor = 80)`,
    sql`create index notification_target_by_owner
      on notification_target (org_id, number, notification_type, position)`,
    sql`create table signing_secret (
      org_id text collate "C" primary key references org,
      secret text not null,
      created_at int8 not null,
      previous_secret text,
      previous_signs_until int8,
      check ((previous_secret is null) = (previous_signs_until is null))
    )`,
    sql`create table api_key_notice (
      org_id text collate "C" not null references org,
      key_id text collate "C" not null,
      told_days int4 not null,
      primary key (org_id, key_id)
    )`
  ])

/**
 * While a delivery is leased, `due_at` is the end of its lease: who may claim what is one comparison. A
 * digest stands for the intent in the key, because intents hold names, which may be too long for one.
 */
const outbox = (sql: SqlClient.SqlClient) =>
  Effect.all([
    sql`create sequence outbox_sequence as int8`,
    sql`grant usage on sequence outbox_sequence to ${sql(APPLICATION_ROLE)}`,
    sql`create table outbox (
      org_id text collate "C" not null references org,
      delivery_id text collate "C" not null,
      sequence int8 not null default nextval('outbox_sequence'),
      queue text collate "C" not null,
      intent text not null,
      intent_digest bytea not null,
      target jsonb not null,
      notification_type text collate "C",
      notification jsonb not null,
      attempts int4 not null,
      created_at int8 not null,
      due_at int8 not null,
      token int8 not null default 0,
      leased boolean not null default false,
      dead_at int8,
      error text,
      primary key (org_id, delivery_id),
      unique (org_id, intent_digest, queue),
      check ((dead_at is null) = (error is null))
    )`,
    sql`create index outbox_waiting on outbox (org_id, queue, due_at, sequence)
      where dead_at is null`,
    sql`create index outbox_due on outbox (due_at) where dead_at is null`,
    sql`create index outbox_leased on outbox (org_id, queue, due_at) where leased`,
    sql`create index outbox_dead on outbox (org_id, dead_at desc, delivery_id)
      where dead_at is not null`,
    sql`create index outbox_dead_by_age on outbox (dead_at) where dead_at is not null`
  ])

const leases = (sql: SqlClient.SqlClient) => sql`create table background_lease (
    name text collate "C" primary key,
    token int8 not null,
    until int8 not null
  )`

/** The tables that functions of workers reach across orgs. */
const SHARED_WITH_OWNER = ["notification_config", "notification_target", "outbox", "api_key_notice"]

/** Where notifications go, and what is on its way. */
export const notification = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* places(sql)
  yield* outbox(sql)
  yield* leases(sql)
  yield* protect(sql, "notification_config", "select, insert, update")
  yield* protect(sql, "environment_notification_number", "select, insert, update")
  yield* protect(sql, "environment_notification", "select, insert, update, delete")
  yield* protect(sql, "notification_target", "select, insert, update, delete")
  yield* protect(sql, "signing_secret", "select, insert, update")
  yield* protect(sql, "api_key_notice", "select, insert, update")
  yield* protect(sql, "outbox", "select, insert, update, delete")
  // WHY: row-level security is forced on the owner too; this policy lets its functions span orgs.
  yield* Effect.forEach(
    SHARED_WITH_OWNER,
    (name) =>
      sql`create policy worker on ${sql(name)} to current_user using (true) with check (true)`,
    { discard: true }
  )
  yield* claimFunction(sql)
  yield* settleFunction(sql)
  yield* upkeepFunctions(sql)
  yield* expiryFunctions(sql)
  yield* leaseFunctions(sql)
  yield* openFunctions(sql, [
    "outbox_claim(int4, int4, int8, jsonb, text)",
    "outbox_settle(jsonb)",
    "outbox_prune(int8, int4)",
    "outbox_depth(int4)",
    "api_key_expiring_orgs(int8)",
    "api_key_expiring(text, int8)",
    "org_by_id(text)",
    "org_mailboxes(text)",
    "background_lease_acquire(text, int8)",
    "background_lease_release(text, int8, int8)"
  ])
})
