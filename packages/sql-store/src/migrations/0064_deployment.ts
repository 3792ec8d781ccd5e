/**
 * Deployments as rows of their own, in the order in which they are listed. DECISION B-158
 *
 * What a deployment is about stays with its event; these rows are the keys by which one page is found. They are
 * written together with the snapshot, whose joins read both of their sides whole: none of them is a nested loop.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { BUCKET_SIZE, contents, remarks, rows, traces } from "./0030_snapshot_append.js"
import { protect } from "./internal/TenantTable.js"

const tables = (sql: SqlClient.SqlClient) =>
  Effect.all([
    sql`create table deployment (
      org_id text collate "C" not null,
      environment_id text collate "C" not null,
      index int4 not null,
      position int4 not null,
      timestamp int8 not null,
      fingerprint text collate "C" not null
    )`,
    protect(sql, "deployment", "select, insert"),
    sql`create index deployment_by_time
      on deployment (org_id, timestamp desc, environment_id, position)`,
    sql`create index deployment_by_fingerprint
      on deployment (org_id, fingerprint, timestamp desc, environment_id, position)`,
    sql`create unique index deployment_by_environment
      on deployment (org_id, environment_id, timestamp desc, position)`,
    // The flows that know what arrived.
    sql`create table deployment_flow (
      org_id text collate "C" not null,
      flow_id text collate "C" not null,
      environment_id text collate "C" not null,
      index int4 not null,
      position int4 not null,
      timestamp int8 not null
    )`,
    protect(sql, "deployment_flow", "select, insert"),
    sql`create unique index deployment_flow_by_time
      on deployment_flow (org_id, flow_id, timestamp desc, environment_id, position)`
  ])

const DEPLOYMENT = "org_id, environment_id, index, position, timestamp, fingerprint"
const DEPLOYMENT_FLOW = "org_id, flow_id, environment_id, index, position, timestamp"

/** What arrived with a snapshot. */
const arrivals = `
  if jsonb_path_exists(draft, '$.events[*] ? (@.arrived == true)') then
    with arrived as materialized (
      select e.position, e.event ->> 'name' as name, e.event ->> 'fingerprint' as fingerprint
      from jsonb_array_elements(draft -> 'events') with ordinality as e (event, position)
      where (e.event ->> 'arrived')::boolean),
    listed as (
      insert into deployment (${DEPLOYMENT})
        select org, env, next_index, a.position, (draft ->> 'timestamp')::int8, a.fingerprint
        from arrived a)
    insert into deployment_flow (${DEPLOYMENT_FLOW})
      select distinct org, v.view ->> 'flow_id', env, next_index, a.position::int4,
        (draft ->> 'timestamp')::int8
      from arrived a
      join jsonb_to_recordset(draft -> 'begun') as b (name text, fingerprint text, flows jsonb)
        on b.name = a.name and b.fingerprint = a.fingerprint
      cross join lateral jsonb_array_elements(b.flows) as v (view);
  end if;`

/** Deployments that snapshots have told of before; row-level security shows one org at a time, to the owner too. */
const FILL = `do $$
  declare
    each text;
    named text := current_setting('attestry.org_id', true);
  begin
    for each in select org_id from org loop
      perform set_config('attestry.org_id', each, true);
      insert into deployment (${DEPLOYMENT})
        select e.org_id, e.environment_id, e.index, e.position, s.timestamp, r.fingerprint
        from snapshot_event e
        cross join lateral (select s.timestamp from snapshot s where s.org_id = e.org_id
          and s.environment_id = e.environment_id and s.index = e.index offset 0) s
        cross join lateral (select r.fingerprint from snapshot_row r where r.org_id = e.org_id
          and r.environment_id = e.environment_id and r.bucket = e.bucket
          and r.row_no = e.row_no offset 0) r
        where e.org_id = each and e.arrived;
      insert into deployment_flow (${DEPLOYMENT_FLOW})
        select distinct e.org_id, v.view ->> 'flow_id', e.environment_id, e.index, e.position,
          s.timestamp
        from snapshot_event e
        cross join lateral (select s.timestamp from snapshot s where s.org_id = e.org_id
          and s.environment_id = e.environment_id and s.index = e.index offset 0) s
        cross join lateral (select r.flows_digest from snapshot_row r where r.org_id = e.org_id
          and r.environment_id = e.environment_id and r.bucket = e.bucket
          and r.row_no = e.row_no offset 0) r
        cross join lateral (select f.flows from snapshot_flows f where f.org_id = e.org_id
          and f.digest = r.flows_digest offset 0) f
        cross join lateral jsonb_array_elements(f.flows) as v (view)
        where e.org_id = each and e.arrived;
    end loop;
    perform set_config('attestry.org_id', coalesce(named, ''), true);
  end $$`

/** More columns of a head, each with its value. */
interface HeadColumns {
  readonly columns: string
  readonly values: string
}

/** The function that appends a snapshot, with the statements that write its deployments and what runs where. */
export const appendWith = (
  deployments: string,
  runs: string = traces,
  more: HeadColumns = { columns: "", values: "" }
): string => `
  #variable_conflict use_column
  declare
    next_index int4 := (draft ->> 'index')::int4;
    changed int4 := greatest(jsonb_array_length(draft -> 'ended'),
      jsonb_array_length(draft -> 'begun'));
    running int4 := (draft ->> 'running')::int4;
    old_bucket int4;
    old_changes int4;
    old_events int8;
    new_bucket int4;
    told int4;
    judged_by bytea := case when draft -> 'policies' <> '[]'
      then sha256(convert_to((draft -> 'policies')::text, 'UTF8')) end;
  begin
    select s.bucket, s.changes, s.events_total into old_bucket, old_changes, old_events
      from snapshot s
      where s.org_id = org and s.environment_id = env order by s.index desc limit 1;
    old_bucket := coalesce(old_bucket, 0);
    old_changes := coalesce(old_changes, 0);
    new_bucket := old_bucket;
    if old_changes + changed > ${BUCKET_SIZE} then
      new_bucket := old_bucket + 1;
    end if;
    insert into snapshot (org_id, environment_id, index, timestamp, verdict, count_true, count_false,
        count_null, bucket, changes, events_total, members, policies_digest${more.columns})
      values (org, env, next_index, (draft ->> 'timestamp')::int8,
        draft ->> 'verdict', (draft #>> '{counts,true}')::int4, (draft #>> '{counts,false}')::int4,
        (draft #>> '{counts,"null"}')::int4, new_bucket,
        case when new_bucket > old_bucket then 0 else old_changes + changed end,
        coalesce(old_events, 0) + jsonb_array_length(draft -> 'events'),
        nullif(draft -> 'members', 'null'), judged_by${more.values});
    ${contents}
    ${rows}
    ${remarks}
    ${deployments}
    ${runs}
  end`

const APPEND = appendWith(arrivals)

/** Deployments. */
export const deployment = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* tables(sql)
  yield* sql`${sql.literal(FILL)}`
  yield* sql`drop index snapshot_event_arrived`
  yield* sql`create or replace function snapshot_append(org text, env text, draft jsonb) returns void
    language plpgsql set search_path = attestry, pg_temp set enable_nestloop = off
    as $$ ${sql.literal(APPEND)} $$`
})
