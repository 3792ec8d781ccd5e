/**
 * In which snapshots of which environments a content runs: one row for each start, closed by the exit.
 *
 * WHY triggers: `running_fingerprint` has a row exactly while a content runs in an environment, under whatever
 * names, so its coming and going are the starts and exits. `snapshot_append` writes the snapshot before it, so
 * the latest snapshot is the one that says so. DECISION B-145
 */
import type { SqlClient } from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { protect } from "./TenantTable.js"

const LATEST = `(select s.index from snapshot s where s.org_id = place.org_id
  and s.environment_id = place.environment_id order by s.index desc limit 1)`

/** WHY one statement for each environment, by arrays: each is then a lookup by the key, whatever statistics say. */
const forEachPlace = (rows: string, statement: string): string => `
  declare
    place record;
  begin
    for place in select t.org_id, t.environment_id, array_agg(t.fingerprint) as fingerprints
      from ${rows} t group by t.org_id, t.environment_id
    loop
      ${statement}
    end loop;
    return null;
  end`

const OPENED = forEachPlace(
  "opened",
  `insert into fingerprint_run (org_id, fingerprint, environment_id, started_index)
    select place.org_id, f.fingerprint, place.environment_id, l.index
      from (select ${LATEST} as index) l cross join unnest(place.fingerprints) as f (fingerprint)
      where l.index is not null;`
)

const CLOSED = forEachPlace(
  "closed",
  `update fingerprint_run r set exited_index = ${LATEST}
    where r.org_id = place.org_id and r.fingerprint = any (place.fingerprints)
      and r.environment_id = place.environment_id and r.exited_index is null;`
)

/** The table and the triggers that fill it. */
export const create = (sql: SqlClient) =>
  Effect.gen(function* () {
    yield* sql`create table fingerprint_run (
      org_id text collate "C" not null,
      fingerprint text collate "C" not null,
      environment_id text collate "C" not null,
      started_index int4 not null,
      exited_index int4,
      primary key (org_id, fingerprint, environment_id, started_index)
    ) with (fillfactor = 90)`
    yield* protect(sql, "fingerprint_run", "select, insert, update")
    yield* sql`create function fingerprint_run_open() returns trigger
      language plpgsql set search_path = attestry, pg_temp as $$ ${sql.literal(OPENED)} $$`
    yield* sql`create trigger fingerprint_run_open
      after insert on running_fingerprint referencing new table as opened
      for each statement execute function fingerprint_run_open()`
    yield* sql`create function fingerprint_run_close() returns trigger
      language plpgsql set search_path = attestry, pg_temp as $$ ${sql.literal(CLOSED)} $$`
    yield* sql`create trigger fingerprint_run_close
      after delete on running_fingerprint referencing old table as closed
      for each statement execute function fingerprint_run_close()`
    yield* sql`revoke all on function fingerprint_run_open(), fingerprint_run_close() from public`
  })

/**
 * Every start and exit that snapshots tell of, of histories that are older than the table.
 *
 * INVARIANT: a row that is carried into the next bucket stays open in its own, so it ends there with the bucket.
 */
export const fill = (sql: SqlClient) => sql`insert into fingerprint_run
  with bucket as (
    select org_id, environment_id, bucket, max(index) as last from snapshot group by 1, 2, 3),
  latest as (
    select org_id, environment_id, max(index) as last from snapshot group by 1, 2),
  ran as (
    select r.org_id, r.environment_id, r.fingerprint, r.first_index,
        least(r.last_index, b.last) as last_index
      from snapshot_row r join bucket b on b.org_id = r.org_id
        and b.environment_id = r.environment_id and b.bucket = r.bucket
      where r.fingerprint <> ''),
  joined as (
    select r.*, max(last_index) over (partition by org_id, environment_id, fingerprint
        order by first_index, last_index rows between unbounded preceding and 1 preceding) as before
      from ran r),
  numbered as (
    select j.*, count(*) filter (where before is null or first_index > before + 1)
        over (partition by org_id, environment_id, fingerprint order by first_index, last_index) as run
      from joined j)
  select n.org_id, n.fingerprint, n.environment_id, min(n.first_index),
      nullif(max(n.last_index), l.last) + 1
    from numbered n join latest l on l.org_id = n.org_id and l.environment_id = n.environment_id
    group by n.org_id, n.environment_id, n.fingerprint, n.run, l.last`
