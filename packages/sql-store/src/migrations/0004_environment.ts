/**
 * Environments and their snapshots.
 *
 * A row of a snapshot is an interval over snapshot indexes, so that continuing costs nothing; intervals
 * are cut at the borders of buckets, so that reading one snapshot touches few rows however long the
 * history is. DECISION S3
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { KEYED, protect, SCHEMA } from "./internal/TenantTable.js"

const environments = (sql: SqlClient.SqlClient) =>
  Effect.all([
    sql`create table environment (
      org_id text collate "C" not null references org,
      environment_id text collate "C" not null,
      name text collate "C" not null,
      type text not null,
      description text not null,
      include_scaling boolean not null,
      included jsonb,
      policies jsonb not null,
      require_provenance boolean not null,
      tags jsonb not null,
      created_at int8 not null,
      last_modified_at int8 not null,
      last_reported_at int8,
      last_changed_at int8,
      verdict text,
      archived_at int8,
      body_digest text collate "C",
      rows_digest text collate "C",
      is_pending boolean not null default false,
      primary key (org_id, environment_id)
    ) with (fillfactor = 80)`,
    protect(sql, "environment", "select, insert, update"),
    sql`create unique index environment_by_name on environment (org_id, name)
      where archived_at is null`,
    sql`create index environment_logical on environment (org_id) where type = 'logical'`,
    // Environments that consume a policy, and environments that are still to be evaluated.
    sql`create index environment_by_policy on environment using gin (policies jsonb_path_ops)
      where policies <> '[]'`,
    sql`create index environment_pending on environment (org_id) where is_pending`
  ])

/** How an environment is found by its name, and by names that it had. */
const names = (sql: SqlClient.SqlClient) =>
  Effect.all([
    // Names that environments had: they lead to them until another environment takes the name.
    sql`create table environment_former_name (
      org_id text collate "C" not null,
      name text collate "C" not null,
      environment_id text collate "C" not null,
      primary key (org_id, name),
      foreign key (org_id, environment_id) references environment
    )`,
    protect(sql, "environment_former_name", "select, insert, update, delete"),
    // WHY a function: a report begins with this read, and naming the org costs no round trip of its own.
    // One JSON value, because describing and reading a dozen columns costs more than the lookup itself.
    sql`create function environments_by_name(
        org text, wanted text[], out asked text, out document json, out now int8
      ) returns setof record
      language plpgsql set search_path = attestry, pg_temp
        ${sql.literal(KEYED)}
      as $$
      declare
        named text := set_config('attestry.org_id', org, true);
      begin
        now := (extract(epoch from clock_timestamp()) * 1000000)::int8;
        foreach asked in array wanted loop
          select row_to_json(e) into document
            from environment e where e.org_id = named and e.name = asked and e.archived_at is null;
          if document is null then
            select row_to_json(e) into document
              from environment_former_name f
              join environment e on e.org_id = f.org_id and e.environment_id = f.environment_id
              where f.org_id = named and f.name = asked;
          end if;
          return next;
        end loop;
      end
      $$`
  ])

const snapshots = (sql: SqlClient.SqlClient) =>
  Effect.all([
    sql`create table snapshot (
      org_id text collate "C" not null,
      environment_id text collate "C" not null,
      index int4 not null,
      timestamp int8 not null,
      verdict text not null,
      count_true int4 not null,
      count_false int4 not null,
      count_null int4 not null,
      bucket int4 not null,
      changes int4 not null,
      events_total int8 not null,
      members jsonb,
      policies_digest bytea,
      primary key (org_id, environment_id, index),
      unique (org_id, environment_id, timestamp),
      foreign key (org_id, environment_id) references environment
    )`,
    // Where in the log the events of a snapshot end: any page of the log is found without reading up to it.
    sql`create index snapshot_by_event on snapshot (org_id, environment_id, events_total)`,
    sql`create index snapshot_by_time on snapshot (org_id, timestamp)`,
    protect(sql, "snapshot", "select, insert"),
    // The policies of a snapshot: equal for a long time, so they are stored once.
    sql`create table snapshot_policies (
      org_id text collate "C" not null,
      digest bytea not null,
      policies jsonb not null,
      primary key (org_id, digest)
    )`,
    protect(sql, "snapshot_policies", "select, insert")
  ])

const snapshotRows = (sql: SqlClient.SqlClient) =>
  Effect.all([
    sql`create sequence snapshot_row_sequence as int8`,
    sql`grant usage on sequence snapshot_row_sequence to attestry_app`,
    sql`create table snapshot_row (
      org_id text collate "C" not null,
      environment_id text collate "C" not null,
      bucket int4 not null,
      row_no int8 not null default nextval('snapshot_row_sequence'),
      first_index int4 not null,
      last_index int4 not null,
      started_index int4 not null,
      name text collate "C" not null,
      fingerprint text collate "C" not null,
      verdict text not null,
      flows_digest bytea,
      decisions_digest bytea,
      doc text not null,
      primary key (org_id, environment_id, bucket, row_no)
    ) with (fillfactor = 90)`,
    protect(sql, "snapshot_row", "select, insert, update"),
    // The flows of a row: equal for many rows and for a long time, so they are stored once.
    sql`create table snapshot_flows (
      org_id text collate "C" not null,
      digest bytea not null,
      flows jsonb not null,
      primary key (org_id, digest)
    )`,
    protect(sql, "snapshot_flows", "select, insert"),
    // The decisions of policies on a row: equal for most rows of an environment.
    sql`create table snapshot_decisions (
      org_id text collate "C" not null,
      digest bytea not null,
      decisions jsonb not null,
      primary key (org_id, digest)
    )`,
    protect(sql, "snapshot_decisions", "select, insert"),
    sql`create table snapshot_event (
      org_id text collate "C" not null,
      environment_id text collate "C" not null,
      index int4 not null,
      position int4 not null,
      bucket int4 not null,
      row_no int8 not null,
      type text not null,
      was int4 not null,
      now int4 not null,
      arrived boolean not null,
      primary key (org_id, environment_id, index, position)
    )`,
    sql`create index snapshot_event_arrived on snapshot_event (org_id, environment_id, index)
      where arrived`,
    protect(sql, "snapshot_event", "select, insert")
  ])

/** Further tables of environments: what ran where, what runs now, what is allowed. */
const traces = (sql: SqlClient.SqlClient) =>
  Effect.all([
    // What started in which place of which flow: deployment diffs compare with it. DECISION D8.2
    sql`create table snapshot_start (
      org_id text collate "C" not null,
      environment_id text collate "C" not null,
      flow_id text collate "C" not null,
      slot text collate "C" not null,
      index int4 not null,
      name text collate "C" not null,
      fingerprint text collate "C" not null,
      view jsonb not null,
      primary key (org_id, environment_id, flow_id, slot, index, name, fingerprint)
    )`,
    protect(sql, "snapshot_start", "select, insert"),
    // Which environments run a fingerprint, in how many rows: evidence about it makes them stale.
    sql`create table running_fingerprint (
      org_id text collate "C" not null,
      fingerprint text collate "C" not null,
      environment_id text collate "C" not null,
      rows int4 not null,
      primary key (org_id, fingerprint, environment_id)
    )`,
    protect(sql, "running_fingerprint", "select, insert, update, delete"),
    sql`create table allow_list (
      org_id text collate "C" not null,
      environment_id text collate "C" not null,
      fingerprint text collate "C" not null,
      name text not null,
      reason text not null,
      created_by text not null,
      created_at int8 not null,
      primary key (org_id, environment_id, fingerprint),
      foreign key (org_id, environment_id) references environment
    )`,
    protect(sql, "allow_list", "select, insert, update, delete")
  ])

/** Environments and their snapshots. */
export const environment = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* environments(sql)
  yield* names(sql)
  yield* snapshots(sql)
  yield* snapshotRows(sql)
  yield* traces(sql)
  yield* sql`grant execute on function environments_by_name(text, text[]) to attestry_app`
  yield* sql`revoke all on schema ${sql(SCHEMA)} from public`
})
