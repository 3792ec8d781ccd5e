/**
 * Lookups by key that stay lookups on a database without statistics. DECISION B-157
 *
 * There, indexes that begin alike with two columns seem to cost the same, and of those of one height the youngest is
 * taken: the index that names one row is made last, or begins with another column. Lists are looked up one element
 * after another (`lateral`, and `offset` against merging), because two lists that seem short are joined in a loop.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { lockTrails } from "./0020_locked_trail.js"
import { LOCK_FINGERPRINTS } from "./0032_flow_records.js"
import { KEYED } from "./internal/TenantTable.js"

/** What flows know about each fingerprint: the newest record in each flow, and when the first was reported. */
const RECORDS = `
  select a.org_id, a.artifact_id as id, a.flow_id, a.trail_id, a.sequence, a.slot, a.fingerprint,
    a.report, a.repo_id, a.created_by, a.created_at, w.name as flow_name, w.tags,
    standing.document as standing, t.name as trail_name, t.details, g.first as first_sequence,
    o.created_at as first_reported_at
  from (select distinct jsonb_array_elements_text(asked) as fingerprint) q
  cross join lateral (select r.flow_id, min(r.sequence) as first, max(r.sequence) as last
    from artifact r where r.org_id = org and r.fingerprint = q.fingerprint group by r.flow_id) g
  cross join lateral (select * from artifact r where r.org_id = org
    and r.fingerprint = q.fingerprint and r.flow_id = g.flow_id and r.sequence = g.last offset 0) a
  cross join lateral (select r.created_at from artifact r where r.org_id = org
    and r.fingerprint = q.fingerprint and r.flow_id = g.flow_id and r.sequence = g.first offset 0) o
  cross join lateral (select r.name, r.details from trail r
    where r.org_id = org and r.trail_id = a.trail_id offset 0) t
  cross join lateral (select r.name, r.tags from flow r
    where r.org_id = org and r.flow_id = a.flow_id offset 0) w
  cross join lateral (select r.record_statuses from trail_evaluation r
    where r.org_id = org and r.trail_id = a.trail_id offset 0) v
  cross join lateral (select s.document from json_array_elements(v.record_statuses) as s (document)
    where s.document ->> 'artifact_id' = a.artifact_id) standing`

/**
 * The flow of a trail is compared as something that no index has. WHY: trails of a flow are listed by an index of
 * their own, which must not be taken for looking one up by its name; `trail_by_name` begins with the name.
 */
const LOCK_TRAILS = lockTrails("r.flow_id || '' = f.id")

/** Lookups by key. */
export const keyLookups = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // With the index as well, so that it has the order in which a place of the event log is looked for.
  yield* sql`drop index snapshot_by_event`
  yield* sql`create index snapshot_by_event
    on snapshot (org_id, environment_id, events_total, index)`
  yield* sql`alter table snapshot drop constraint snapshot_pkey,
    add primary key (org_id, environment_id, index)`
  yield* sql`create unique index trail_by_name on trail (org_id, name, flow_id)`
  yield* sql`alter table trail drop constraint trail_org_id_flow_id_name_key`
  yield* sql`create or replace function lock_trails(asked json, waits boolean)
    returns table (document json)
    language plpgsql set search_path = attestry, pg_temp
      ${sql.literal(KEYED)}
    as $$ ${sql.literal(LOCK_TRAILS)} $$`
  yield* sql`create or replace function flow_records(org text, locked jsonb, asked jsonb)
    returns setof json
    language plpgsql set search_path = attestry, pg_temp
      ${sql.literal(KEYED)}
    as $$
    begin
      ${sql.literal(LOCK_FINGERPRINTS)}
      return query select row_to_json(known) from (${sql.literal(RECORDS)}) known;
    end
    $$`
})
