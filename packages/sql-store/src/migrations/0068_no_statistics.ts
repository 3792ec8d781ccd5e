/**
 * The planner has no statistics about any column, so that no plan depends on when a table was analyzed.
 *
 * WHY: statistics name the orgs that there were when they were gathered. Of an org that came later the planner
 * expects no row at all; every index that begins with the org then seems to be as good as any other, and every join a
 * loop. Statements are written for a database without statistics (DECISION B-157), and so each database stays one.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { LOCK_FINGERPRINTS } from "./0032_flow_records.js"
import { KEYED, withoutStatistics } from "./internal/TenantTable.js"

/** Every table that was analyzed, or vacuumed. */
const ANALYZED =
  "c.relnamespace = 'attestry'::regnamespace and c.relkind = 'r' and c.reltuples >= 0"

const POLICIES = `from pg_policies p join pg_class c
  on c.relname = p.tablename and p.schemaname = 'attestry' where ${ANALYZED}`

/**
 * Forgets the statistics that there are. WHY each column gets the type that it has: nothing else that an owner may do
 * removes them, and no row is written again. PostgreSQL refuses it for columns of a policy, so policies are made anew.
 */
const FORGET = `do $$
  declare
    command text;
    dropped text[] := array(select format('drop policy %I on %I', p.policyname, p.tablename) ${POLICIES});
    retyped text[] := array(select format('alter table %s %s', c.oid::regclass,
        string_agg(format('alter column %I type %s %s', a.attname, format_type(a.atttypid, a.atttypmod),
          case when a.attcollation <> 0 then 'collate ' || a.attcollation::regcollation end), ', '))
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where ${ANALYZED} and a.attnum > 0 and not a.attisdropped
      group by c.oid);
    made text[] := array(select format('create policy %I on %I as %s for %s to %s', p.policyname, p.tablename,
        p.permissive, p.cmd, (select string_agg(quote_ident(r), ', ') from unnest(p.roles) r))
        || coalesce(' using (' || p.qual || ')', '')
        || coalesce(' with check (' || p.with_check || ')', '') ${POLICIES});
  begin
    foreach command in array dropped || retyped || made loop
      execute command;
    end loop;
  end $$`

/**
 * Environments that run a content, one after the other. WHY no join: of some hundred environments the planner expects
 * one, and would go through all of them for each of them.
 */
export const MARK_EACH = `
    for marked in select distinct f.environment_id
      from (select distinct jsonb_array_elements_text(locked) as fingerprint) q
      cross join lateral (select r.environment_id from running_fingerprint r
        where r.org_id = org and r.fingerprint = q.fingerprint offset 0) f
      order by f.environment_id
    loop
      update environment e set body_digest = null, rows_digest = null
        where e.org_id = org and e.environment_id = marked;
    end loop;`

const MARK = `
  declare marked text;
  begin
    ${LOCK_FINGERPRINTS}${MARK_EACH}
  end`

/** A planner without statistics. */
export const noStatistics = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`${sql.literal(FORGET)}`
  yield* withoutStatistics(sql)
  // The collation has the same order and another name: only the lookup that names it takes this index, and it takes no
  // other. WHY: of indexes that begin alike, the planner takes the one of the least height, and this is the widest.
  yield* sql`drop index snapshot_by_event`
  yield* sql`create index snapshot_by_event
    on snapshot (org_id, environment_id collate "POSIX", events_total, index)`
  yield* sql`create index environment_archived on environment (org_id, environment_id)
    where archived_at is not null`
  yield* sql`create or replace function mark_running(org text, locked jsonb) returns void
    language plpgsql set search_path = attestry, pg_temp
      ${sql.literal(KEYED)}
    as $$ ${sql.literal(MARK)} $$`
})
