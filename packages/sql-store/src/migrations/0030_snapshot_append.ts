/**
 * How a snapshot is appended, in one round trip: rows that ended are closed, rows that began are opened, and
 * now and then a new bucket is started with a copy of what runs. DECISION S3
 *
 * A bucket ends when the changes since its start reach some times the number of running rows; a row that
 * replaces another is one change. So each change pays for a part of a carried row besides its own, and a
 * read touches at most that many times what runs, and what runs. DECISION B-59
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/** The last index of a row that is still running. */
export const OPEN = 2_147_483_647

/** How many times what runs must change before what runs is carried into a new bucket. */
export const BUCKET_TURNOVER = 4

/** Small environments would otherwise start a bucket at almost every change. */
const BUCKET_CHANGES_MIN = 32
/** How many changes a bucket takes. */
export const BUCKET_SIZE = `greatest(${BUCKET_TURNOVER} * running, ${BUCKET_CHANGES_MIN})`

const EVENT_COLUMNS = `org_id, environment_id, index, position, bucket, row_no, type, was, now,
  arrived`

/** Values that many rows share for a long time, by digest. */
export const contents = `
  insert into snapshot_policies (org_id, digest, policies)
    select org, judged_by, draft -> 'policies' where judged_by is not null
    on conflict do nothing;
  insert into snapshot_flows (org_id, digest, flows)
    select distinct org, sha256(convert_to(b.flows::text, 'UTF8')), b.flows
    from jsonb_to_recordset(draft -> 'begun') as b (flows jsonb)
    where b.flows <> '[]'
    on conflict do nothing;
  insert into snapshot_decisions (org_id, digest, decisions)
    select distinct org, sha256(convert_to(b.decisions::text, 'UTF8')), b.decisions
    from jsonb_to_recordset(draft -> 'begun') as b (decisions jsonb)
    where b.decisions <> '[]'
    on conflict do nothing;`

const EVENTS = `event as materialized (
    select e.position, e.event ->> 'name' as name, e.event ->> 'fingerprint' as fingerprint,
      e.event ->> 'type' as type, (e.event ->> 'was')::int4 as was, (e.event ->> 'now')::int4 as now,
      (e.event ->> 'arrived')::boolean as arrived
    from jsonb_array_elements(draft -> 'events') with ordinality as e (event, position))`

/**
 * Rows that ended, rows that began, and what happened to them, in one statement: so the rows of the bucket
 * are looked through once.
 */
export const rows = `
  with ${EVENTS},
  ended as (
    update snapshot_row r set last_index = next_index - 1
      from jsonb_to_recordset(draft -> 'ended') as e (name text, fingerprint text)
      where r.org_id = org and r.environment_id = env and r.bucket = old_bucket
        and r.last_index = ${OPEN} and r.name = e.name and r.fingerprint = e.fingerprint
      returning r.row_no, r.name, r.fingerprint),
  begun as (
    insert into snapshot_row (org_id, environment_id, bucket, first_index, last_index,
        started_index, name, fingerprint, verdict, flows_digest, decisions_digest, doc)
      select org, env, new_bucket, next_index, ${OPEN}, b.started_index, b.name, b.fingerprint,
        b.verdict,
        case when b.flows <> '[]' then sha256(convert_to(b.flows::text, 'UTF8')) end,
        case when b.decisions <> '[]' then sha256(convert_to(b.decisions::text, 'UTF8')) end, b.doc
      from jsonb_to_recordset(draft -> 'begun')
        as b (name text, fingerprint text, verdict text, started_index int4, flows jsonb,
          decisions jsonb, doc text)
      returning row_no, name, fingerprint)
  insert into snapshot_event (${EVENT_COLUMNS})
    select org, env, next_index, e.position, old_bucket, r.row_no, e.type, e.was, e.now, e.arrived
      from event e join ended r on r.name = e.name and r.fingerprint = e.fingerprint
      where e.type = 'exited'
    union all
    select org, env, next_index, e.position, new_bucket, r.row_no, e.type, e.was, e.now, e.arrived
      from event e join begun r on r.name = e.name and r.fingerprint = e.fingerprint
      where e.type <> 'exited';
  get diagnostics told = row_count;
  if new_bucket > old_bucket then
    insert into snapshot_row (org_id, environment_id, bucket, first_index, last_index,
        started_index, name, fingerprint, verdict, flows_digest, decisions_digest, doc)
      select org, env, new_bucket, next_index, ${OPEN}, r.started_index, r.name, r.fingerprint,
        r.verdict, r.flows_digest, r.decisions_digest, r.doc
      from snapshot_row r
      where r.org_id = org and r.environment_id = env and r.bucket = old_bucket
        and r.last_index = ${OPEN}
      order by r.row_no;
  end if;`

/** Events of rows that run on unchanged; reports make none. */
export const remarks = `
  if told < jsonb_array_length(draft -> 'events') then
    insert into snapshot_event (${EVENT_COLUMNS})
      with ${EVENTS}
      select org, env, next_index, e.position, new_bucket, r.row_no, e.type, e.was, e.now, e.arrived
        from event e
        join snapshot_row r on r.org_id = org and r.environment_id = env and r.bucket = new_bucket
          and r.last_index = ${OPEN} and r.name = e.name and r.fingerprint = e.fingerprint
        where e.type <> 'exited'
      on conflict do nothing;
  end if;`

/**
 * What started in which place of which flow. WHY no join with the views of a row: it can only be a nested loop, which
 * the function switches off, and PostgreSQL up to 17 then counts a cost for which it compiles the statement.
 */
export const starts = `
  insert into snapshot_start (org_id, environment_id, flow_id, slot, index, name, fingerprint, view)
    select org, env, v.view ->> 'flow_id', v.view ->> 'slot', v.started_index, v.name,
      v.fingerprint, v.view - 'previous' - 'reasons' - 'git_commit_info' - 'repo'
    from (select b.name, b.fingerprint, b.started_index, jsonb_array_elements(b.flows) as view
      from jsonb_to_recordset(draft -> 'begun')
        as b (name text, fingerprint text, started_index int4, flows jsonb)) v
    on conflict do nothing;`

/**
 * What runs where, and since when. WHY an array of what has ended: joined instead, PostgreSQL expects a hundred of
 * them, and reads what runs in every environment of every org to find a few.
 */
export const traces = `${starts}
  insert into running_fingerprint as f (org_id, fingerprint, environment_id, rows)
    select org, d.fingerprint, env, sum(d.delta)
    from (
      select fingerprint, 1 as delta from jsonb_to_recordset(draft -> 'begun') as b (fingerprint text)
      union all
      select fingerprint, -1 from jsonb_to_recordset(draft -> 'ended') as e (fingerprint text)
    ) d
    where d.fingerprint <> ''
    group by d.fingerprint having sum(d.delta) <> 0
    order by d.fingerprint
    on conflict (org_id, fingerprint, environment_id) do update set rows = f.rows + excluded.rows;
  delete from running_fingerprint f
    where f.org_id = org and f.environment_id = env and f.rows <= 0
      and f.fingerprint = any (array(select e.fingerprint
        from jsonb_to_recordset(draft -> 'ended') as e (fingerprint text)));`

/** Appending snapshots. */
export const snapshotAppend = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // WHY `security invoker`, the default: the function runs as the application, bound by row-level security.
  yield* sql`create function snapshot_append(org text, env text, draft jsonb) returns void
    language plpgsql set search_path = attestry, pg_temp
    as $$
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
      if old_changes + changed > ${sql.literal(BUCKET_SIZE)} then
        new_bucket := old_bucket + 1;
      end if;
      insert into snapshot values (org, env, next_index, (draft ->> 'timestamp')::int8,
        draft ->> 'verdict', (draft #>> '{counts,true}')::int4, (draft #>> '{counts,false}')::int4,
        (draft #>> '{counts,"null"}')::int4, new_bucket,
        case when new_bucket > old_bucket then 0 else old_changes + changed end,
        coalesce(old_events, 0) + jsonb_array_length(draft -> 'events'),
        nullif(draft -> 'members', 'null'), judged_by);
      ${sql.literal(contents)}
      ${sql.literal(rows)}
      ${sql.literal(remarks)}
      ${sql.literal(traces)}
    end
    $$`
  yield* sql`revoke all on function snapshot_append(text, text, jsonb) from public`
  yield* sql`grant execute on function snapshot_append(text, text, jsonb) to attestry_app`
  // The records of fingerprints, newest first.
  yield* sql`create index artifact_by_fingerprint
    on artifact (org_id, fingerprint, flow_id, sequence)`
})
