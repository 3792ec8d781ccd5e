/**
 * Environments and their snapshots.
 *
 * A row of a snapshot is an interval over snapshot indexes, so that continuing costs nothing; intervals
 * are cut at the borders of buckets, so that reading one snapshot touches few rows however long the
 * history is. DECISION S3
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { protect, SCHEMA } from "./TenantTable.js"

const environments = (sql: SqlClient.SqlClient) =>
  Effect.all([
    sql`create table environment (
      org_id text collate "C" not null references org,
      environment_id text collate "C" not null,
      name text collate "C" not null,
      type text not null,
      description text not null,
      include_scaling boolean not null,
      created_at int8 not null,
      last_modified_at int8 not null,
      last_reported_at int8,
      last_changed_at int8,
      body_digest text collate "C",
      rows_digest text collate "C",
      primary key (org_id, environment_id),
      unique (org_id, name)
    ) with (fillfactor = 80)`,
    protect(sql, "environment", "select, insert, update"),
    // WHY a function: a report begins with this read, and naming the org costs no round trip of its own.
    // One JSON value, because describing and reading a dozen columns costs more than the lookup itself.
    sql`create function environment_by_name(
        org text, wanted text, out document json, out now int8
      )
      language plpgsql set search_path = attestry, pg_temp
      as $$
      declare
        named text := set_config('attestry.org_id', org, true);
      begin
        select row_to_json(e), (extract(epoch from clock_timestamp()) * 1000000)::int8
          into document, now
          from environment e where e.org_id = named and e.name = wanted;
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
      primary key (org_id, environment_id, index),
      unique (org_id, environment_id, timestamp),
      foreign key (org_id, environment_id) references environment
    )`,
    protect(sql, "snapshot", "select, insert"),
    sql`create sequence snapshot_row_sequence as int8`,
    sql`grant usage on sequence snapshot_row_sequence to attestry_app`,
    sql`create table snapshot_row (
      org_id text collate "C" not null,
      environment_id text collate "C" not null,
      bucket int4 not null,
      row_no int8 not null default nextval('snapshot_row_sequence'),
      first_index int4 not null,
      last_index int4 not null,
      name text collate "C" not null,
      fingerprint text collate "C" not null,
      verdict text not null,
      doc jsonb not null,
      primary key (org_id, environment_id, bucket, row_no)
    ) with (fillfactor = 90)`,
    protect(sql, "snapshot_row", "select, insert, update"),
    sql`create table snapshot_event (
      org_id text collate "C" not null,
      environment_id text collate "C" not null,
      index int4 not null,
      bucket int4 not null,
      row_no int8 not null,
      type text not null,
      was int4 not null,
      now int4 not null,
      primary key (org_id, environment_id, index, row_no)
    )`,
    protect(sql, "snapshot_event", "select, insert")
  ])

/** Environments and their snapshots. */
export const environment = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* environments(sql)
  yield* snapshots(sql)
  yield* sql`grant execute on function environment_by_name(text, text) to attestry_app`
  yield* sql`revoke all on schema ${sql(SCHEMA)} from public`
})
