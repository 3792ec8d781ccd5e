/**
 * The table of exposures, how a snapshot writes it, and how it is made of snapshots that are older.
 *
 * `non_compliant` is time in microseconds: each beginning of a time without compliance is subtracted and each end
 * added. So the time of an exposure whose verdict is `NonCompliant` while it runs is `non_compliant` + now, and
 * otherwise `non_compliant`; where the time is cut makes no difference.
 */
import type { SqlClient } from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { APPLICATION_ROLE, protect } from "./TenantTable.js"

/** The table, with an index on what runs. */
export const create = (sql: SqlClient) =>
  Effect.gen(function* () {
    yield* sql`create table exposure (
      org_id text collate "C" not null,
      fingerprint text collate "C" not null,
      environment_id text collate "C" not null,
      first_index int4 not null,
      last_index int4,
      from_at int8 not null,
      to_at int8,
      started_verdict text not null,
      verdict text not null,
      non_compliant int8 not null,
      name text collate "C" not null,
      primary key (org_id, fingerprint, environment_id, first_index, name)
    ) with (fillfactor = 90)`
    yield* protect(sql, "exposure", "select, insert")
    yield* sql`grant update (last_index, to_at, verdict, non_compliant) on exposure
      to ${sql(APPLICATION_ROLE)}`
    yield* sql`create index exposure_running on exposure (org_id, fingerprint, environment_id)
      where last_index is null`
  })

/**
 * What a snapshot changes: a row that begins without one that ends under its name and fingerprint has started, one
 * that ends without one that begins is gone, and one of both kinds may have another verdict.
 *
 * WHY an array of fingerprints: the exposures are then found by key, whatever statistics say.
 */
export const WRITE = `
  with moved as materialized (
    select name, fingerprint, b.verdict, e.ended is null as is_new, b.verdict is null as is_gone
    from jsonb_to_recordset(draft -> 'begun') as b (name text, fingerprint text, verdict text)
    full join (select name, fingerprint, true as ended
      from jsonb_to_recordset(draft -> 'ended') as r (name text, fingerprint text)) e
      using (name, fingerprint)
    where fingerprint <> ''),
  changed as (
    update exposure x set
        last_index = case when m.is_gone then next_index - 1 end,
        to_at = case when m.is_gone then (draft ->> 'timestamp')::int8 end,
        verdict = coalesce(m.verdict, x.verdict),
        non_compliant = x.non_compliant
          + case when x.verdict = 'NonCompliant' then (draft ->> 'timestamp')::int8 else 0 end
          - case when m.verdict = 'NonCompliant' then (draft ->> 'timestamp')::int8 else 0 end
      from moved m
      where x.org_id = org and x.environment_id = env and x.last_index is null
        and x.fingerprint = any (array(select o.fingerprint from moved o where not o.is_new))
        and m.fingerprint = x.fingerprint and m.name = x.name and not m.is_new
        and (m.is_gone or m.verdict <> x.verdict))
  insert into exposure (org_id, fingerprint, environment_id, first_index, from_at, started_verdict,
      verdict, non_compliant, name)
    select org, m.fingerprint, env, next_index, (draft ->> 'timestamp')::int8, m.verdict, m.verdict,
      case when m.verdict = 'NonCompliant' then -(draft ->> 'timestamp')::int8 else 0 end, m.name
    from moved m where m.is_new;`

/**
 * Every exposure that snapshots tell of; row-level security shows one org at a time, to the owner too.
 *
 * INVARIANT: a row that is carried into the next bucket stays open in its own, so it ends there with the bucket.
 */
const FILL = `do $$
  declare
    each text;
    named text := current_setting('attestry.org_id', true);
  begin
    for each in select org_id from org loop
      perform set_config('attestry.org_id', each, true);
      insert into exposure (org_id, fingerprint, environment_id, first_index, last_index, from_at,
          to_at, started_verdict, verdict, non_compliant, name)
        with bucket as (
          select environment_id, bucket, max(index) as last from snapshot
            where org_id = each group by 1, 2),
        latest as (
          select environment_id, max(index) as last from snapshot where org_id = each group by 1),
        ran as (
          select r.environment_id, r.name, r.fingerprint, r.verdict, r.first_index,
              least(r.last_index, b.last) as last_index
            from snapshot_row r join bucket b on b.environment_id = r.environment_id
              and b.bucket = r.bucket
            where r.org_id = each and r.fingerprint <> ''),
        joined as (
          select r.*, lag(last_index) over (partition by environment_id, fingerprint, name
              order by first_index) as before
            from ran r),
        numbered as (
          select j.*, count(*) filter (where before is null or first_index > before + 1)
              over (partition by environment_id, fingerprint, name order by first_index) as run
            from joined j),
        timed as (
          select n.*, f.timestamp as from_at, t.timestamp as to_at
            from numbered n
            join snapshot f on f.org_id = each and f.environment_id = n.environment_id
              and f.index = n.first_index
            left join snapshot t on t.org_id = each and t.environment_id = n.environment_id
              and t.index = n.last_index + 1)
        select each, t.fingerprint, t.environment_id, min(t.first_index),
            nullif(max(t.last_index), l.last), min(t.from_at),
            case when max(t.last_index) < l.last then max(t.to_at) end,
            (array_agg(t.verdict order by t.first_index))[1],
            (array_agg(t.verdict order by t.first_index desc))[1],
            coalesce(sum(coalesce(t.to_at, 0) - t.from_at)
              filter (where t.verdict = 'NonCompliant'), 0), t.name
          from timed t join latest l on l.environment_id = t.environment_id
          group by t.fingerprint, t.environment_id, t.name, t.run, l.last;
    end loop;
    perform set_config('attestry.org_id', coalesce(named, ''), true);
  end $$`

/** Exposures of snapshots that are older than the table. */
export const fill = (sql: SqlClient) => sql`${sql.literal(FILL)}`

/** The tables that exposures replace, as views: bound by the policies of the table for whom they are read. */
export const createViews = (sql: SqlClient) =>
  Effect.gen(function* () {
    yield* sql`create view running_fingerprint with (security_invoker = true) as
      select x.org_id, x.fingerprint, x.environment_id, 1 as rows
      from exposure x where x.last_index is null`
    // A content runs while it does so under one name: exposures that overlap or follow one another are one run.
    yield* sql`create view fingerprint_run with (security_invoker = true) as
      with joined as (
        select x.*, max(coalesce(x.last_index, 2147483647)) over (
            partition by x.org_id, x.fingerprint, x.environment_id order by x.first_index, x.name
            rows between unbounded preceding and 1 preceding) as before
          from exposure x),
      numbered as (
        select j.*, count(*) filter (where j.before is null or j.first_index - 1 > j.before) over (
            partition by j.org_id, j.fingerprint, j.environment_id order by j.first_index, j.name)
            as run
          from joined j)
      select n.org_id, n.fingerprint, n.environment_id, min(n.first_index) as started_index,
          case when bool_and(n.last_index is not null) then max(n.last_index) + 1 end as exited_index
        from numbered n
        group by n.org_id, n.fingerprint, n.environment_id, n.run`
    yield* sql`grant select on running_fingerprint, fingerprint_run to ${sql(APPLICATION_ROLE)}`
  })
