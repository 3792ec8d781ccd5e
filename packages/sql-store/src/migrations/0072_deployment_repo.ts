/**
 * Deployments of repositories, and how many there are: each row has the number of deployments of its environment, or
 * of its flow or repository there, up to the end of its snapshot. A page then knows its total from one row for each
 * environment, instead of counting the list. DECISION B-208
 *
 * INVARIANT: the environment is locked while a snapshot is appended, so that no other transaction counts from the
 * same row.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { appendWith } from "./0064_deployment.js"
import { protect, withoutStatistics } from "./internal/TenantTable.js"

const DEPLOYMENT = "org_id, environment_id, index, position, timestamp, fingerprint, total"
const DEPLOYMENT_FLOW = "org_id, flow_id, environment_id, index, position, timestamp, total"
const DEPLOYMENT_REPO =
  "org_id, repo_id, environment_id, index, position, timestamp, first_reported_at, total"

/**
 * WHY scalar selects: the function joins without nested loops, and these are lookups by key. Views of a row are not
 * joined for the reason that `starts` has.
 */
export const arrivals = `
  if jsonb_path_exists(draft, '$.events[*] ? (@.arrived == true)') then
    with arrived as materialized (
      select e.position::int4 as position, e.event ->> 'name' as name,
        e.event ->> 'fingerprint' as fingerprint
      from jsonb_array_elements(draft -> 'events') with ordinality as e (event, position)
      where (e.event ->> 'arrived')::boolean),
    known as materialized (
      select a.position, b.flows, (b.flows #>> '{0,first_reported_at}')::int8 as first_reported_at,
        (select r.repo_id from artifact r where r.org_id = org
          and r.artifact_id = b.flows #>> '{0,artifact_id}') as repo_id
      from arrived a
      join jsonb_to_recordset(draft -> 'begun') as b (name text, fingerprint text, flows jsonb)
        on b.name = a.name and b.fingerprint = a.fingerprint),
    counted as materialized (
      select k.repo_id, count(*) + coalesce((select d.total from deployment_repo d
        where d.org_id = org and d.repo_id = k.repo_id and d.environment_id = env
        order by d.timestamp desc limit 1), 0) as total
      from known k where k.repo_id is not null group by k.repo_id),
    viewed as materialized (
      select distinct v.position, v.view ->> 'flow_id' as flow_id
      from (select k.position, jsonb_array_elements(k.flows) as view from known k) v),
    counted_flows as materialized (
      select v.flow_id, count(*) + coalesce((select d.total from deployment_flow d
        where d.org_id = org and d.flow_id = v.flow_id and d.environment_id = env
        order by d.timestamp desc limit 1), 0) as total
      from viewed v group by v.flow_id),
    listed as (
      insert into deployment (${DEPLOYMENT})
        select org, env, next_index, a.position, (draft ->> 'timestamp')::int8, a.fingerprint,
          (select count(*) from arrived) + coalesce((select d.total from deployment d
            where d.org_id = org and d.environment_id = env order by d.timestamp desc limit 1), 0)
        from arrived a),
    of_repos as (
      insert into deployment_repo (${DEPLOYMENT_REPO})
        select org, k.repo_id, env, next_index, k.position, (draft ->> 'timestamp')::int8,
          k.first_reported_at, c.total
        from known k join counted c on c.repo_id = k.repo_id)
    insert into deployment_flow (${DEPLOYMENT_FLOW})
      select org, v.flow_id, env, next_index, v.position, (draft ->> 'timestamp')::int8, c.total
      from viewed v join counted_flows c on c.flow_id = v.flow_id;
  end if;`

/** Row-level security shows one org at a time, to the owner too. */
const FILL = `do $$
  declare
    each text;
    named text := current_setting('attestry.org_id', true);
  begin
    for each in select org_id from org loop
      perform set_config('attestry.org_id', each, true);
      update deployment d set total = c.total
        from (select environment_id, index, position,
            count(*) over (partition by environment_id order by timestamp) as total
          from deployment where org_id = each) c
        where d.org_id = each and d.environment_id = c.environment_id and d.index = c.index
          and d.position = c.position;
      update deployment_flow d set total = c.total
        from (select flow_id, environment_id, index, position,
            count(*) over (partition by flow_id, environment_id order by timestamp) as total
          from deployment_flow where org_id = each) c
        where d.org_id = each and d.flow_id = c.flow_id and d.environment_id = c.environment_id
          and d.index = c.index and d.position = c.position;
      insert into deployment_repo (${DEPLOYMENT_REPO})
        select each, k.repo_id, k.environment_id, k.index, k.position, k.timestamp,
          k.first_reported_at,
          count(*) over (partition by k.repo_id, k.environment_id order by k.timestamp)
        from (select e.environment_id, e.index, e.position, d.timestamp,
            (f.flows #>> '{0,first_reported_at}')::int8 as first_reported_at,
            (select r.repo_id from artifact r where r.org_id = each
              and r.artifact_id = f.flows #>> '{0,artifact_id}') as repo_id
          from deployment d
          cross join lateral (select * from snapshot_event e where e.org_id = each
            and e.environment_id = d.environment_id and e.index = d.index
            and e.position = d.position offset 0) e
          cross join lateral (select r.flows_digest from snapshot_row r where r.org_id = each
            and r.environment_id = e.environment_id and r.bucket = e.bucket
            and r.row_no = e.row_no offset 0) r
          cross join lateral (select f.flows from snapshot_flows f where f.org_id = each
            and f.digest = r.flows_digest offset 0) f
          where d.org_id = each offset 0) k
        where k.repo_id is not null;
    end loop;
    perform set_config('attestry.org_id', coalesce(named, ''), true);
  end $$`

const tables = (sql: SqlClient.SqlClient) =>
  Effect.all([
    sql`alter table deployment add column total int8`,
    sql`alter table deployment_flow add column total int8`,
    sql`create index deployment_flow_by_environment
      on deployment_flow (org_id, flow_id, environment_id, timestamp desc, position)`,
    // The repository that the record in the primary flow names.
    sql`create table deployment_repo (
      org_id text collate "C" not null,
      repo_id text collate "C" not null,
      environment_id text collate "C" not null,
      index int4 not null,
      position int4 not null,
      timestamp int8 not null,
      first_reported_at int8 not null,
      total int8 not null
    )`,
    protect(sql, "deployment_repo", "select, insert"),
    sql`create index deployment_repo_by_time
      on deployment_repo (org_id, repo_id, timestamp desc, environment_id, position)`,
    sql`create unique index deployment_repo_by_environment
      on deployment_repo (org_id, repo_id, environment_id, timestamp desc, position)`
  ])

const APPEND = appendWith(arrivals)

/** Deployments of repositories, and totals. */
export const deploymentRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* tables(sql)
  yield* sql`${sql.literal(FILL)}`
  yield* sql`alter table deployment alter column total set not null`
  yield* sql`alter table deployment_flow alter column total set not null`
  yield* sql`create or replace function snapshot_append(org text, env text, draft jsonb) returns void
    language plpgsql set search_path = attestry, pg_temp set enable_nestloop = off
    as $$ ${sql.literal(APPEND)} $$`
  yield* withoutStatistics(sql)
})
