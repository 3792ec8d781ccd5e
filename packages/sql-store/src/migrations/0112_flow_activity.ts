/**
 * In which minute each flow was last active, so that a page of flows by their latest activity looks up only the flows
 * that can be on it. DECISION B-413
 *
 * INVARIANT: a flow that is not in `flow_unsettled` has the minute of the newest of its evaluations, or -1 without one.
 * Writers never wait for each other: one that finds the flow locked, or sets the clock back, puts it into
 * `flow_unsettled`, whose few flows are candidates of every page until a later minute is written.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import {
  APPLICATION_ROLE,
  KEYED,
  openFunctions,
  protect,
  withoutStatistics
} from "./internal/TenantTable.js"

/** The microseconds of a minute: a flow is written at most once in it. */
export const MINUTE = "60000000"

/**
 * Waits until no transaction uses these tables, and keeps others waiting until the migration ends.
 *
 * WHY again and again: transactions take these tables in several orders, so waiting for one while holding another could
 * be a deadlock.
 */
const QUIET = `do $$
  begin
    perform set_config('lock_timeout', '200ms', true);
    for attempt in 1..600 loop
      begin
        lock table flow in access exclusive mode;
        lock table trail_evaluation in share row exclusive mode;
        perform set_config('lock_timeout', '0', true);
        return;
      exception when lock_not_available then
        perform pg_sleep(0.05);
      end;
    end loop;
    raise exception 'flows are never free of transactions: stop the older processes and start again';
  end $$`

/** WHY no scans: a plan that is kept from when the table was small would read all of it. */
export const LOOKUP = `set search_path = attestry, pg_temp set enable_seqscan = off ${KEYED}`

/** WHY `skip locked`: a change of the flow may hold it and wait for this transaction. DECISION B-400 */
const KEEP = `
  declare
    reached int8 := new.evaluated_at / ${MINUTE};
  begin
    update flow f set active_minute = reached where f.org_id = new.org_id and f.flow_id = (
      select g.flow_id from flow g
      where g.org_id = new.org_id and g.flow_id = new.flow_id and g.active_minute < reached
      for no key update skip locked);
    if found then
      delete from flow_unsettled u
        where u.org_id = new.org_id and u.flow_id = new.flow_id and u.minute <= reached;
    elsif (tg_op = 'UPDATE' and reached < old.evaluated_at / ${MINUTE})
      or exists (select from flow f where f.org_id = new.org_id and f.flow_id = new.flow_id
        and f.active_minute < reached)
    then
      insert into flow_unsettled (org_id, flow_id, minute) values (new.org_id, new.flow_id, reached);
    end if;
    return null;
  end`

/** The flows that are settled, in the order of their minutes. */
const settled = (way: "asc" | "desc"): string => `
      head := array(select f.flow_id from flow f
        where f.org_id = org collate "POSIX" and f.archived_at is null
          and f.flow_id <> all (unsettled)
        order by f.active_minute ${way}, f.name ${way} limit wanted);`

/**
 * Of the flows that are not archived: the first so many settled ones, all others of the minute of the last of them, and
 * those that are not settled.
 *
 * WHY these: settled flows of other minutes come after all of the first ones. Flows that were never active are in the
 * order of their names already.
 */
const CANDIDATES = `
  declare
    unsettled text[] := array(select distinct u.flow_id from flow_unsettled u
      where u.org_id = org and (select f.archived_at is null from flow f
        where f.org_id = org and f.flow_id = u.flow_id));
    head text[];
    edge int8;
  begin
    if falling then ${settled("desc")}
    else ${settled("asc")}
    end if;
    edge := (select f.active_minute from flow f
      where f.org_id = org and f.flow_id = head[array_length(head, 1)]);
    return array(select distinct unnest(unsettled || head || array(select f.flow_id from flow f
      where f.org_id = org collate "POSIX" and f.archived_at is null and f.active_minute = edge
        and edge >= 0)));
  end`

/** Row-level security shows one org at a time, to the owner too. */
const FILL = `do $$
  declare
    each text;
    named text := current_setting('attestry.org_id', true);
  begin
    for each in select org_id from org loop
      perform set_config('attestry.org_id', each, true);
      update flow f set active_minute = l.evaluated_at / ${MINUTE} from (
        select g.flow_id, (select e.evaluated_at from trail_evaluation e
          where e.org_id = each and e.flow_id = g.flow_id
          order by e.evaluated_at desc limit 1) as evaluated_at
        from flow g where g.org_id = each) l
      where f.org_id = each and f.flow_id = l.flow_id and l.evaluated_at is not null;
    end loop;
    perform set_config('attestry.org_id', coalesce(named, ''), true);
  end $$`

/** The collation has the same order and another name, as in `0068_no_statistics`: no other lookup takes the index. */
const tables = (sql: SqlClient.SqlClient) =>
  Effect.gen(function* () {
    yield* sql`alter table flow add column active_minute int8 not null default -1`
    yield* sql`grant update (active_minute) on flow to ${sql(APPLICATION_ROLE)}`
    yield* sql`create index flow_by_activity on flow (org_id collate "POSIX", active_minute, name)
      where archived_at is null`
    yield* sql`create table flow_unsettled (
      org_id text collate "C" not null references org,
      flow_id text collate "C" not null,
      part int8 not null generated always as identity,
      minute int8 not null,
      primary key (org_id, flow_id, part)
    )`
    yield* protect(sql, "flow_unsettled", "select, insert, delete")
  })

/** WHY a condition: most evaluations of a trail are in the minute of the one before. */
const triggers = (sql: SqlClient.SqlClient) =>
  Effect.gen(function* () {
    yield* sql`create trigger flow_active after insert on trail_evaluation
      for each row execute function flow_activity_keep()`
    yield* sql`create trigger flow_active_again after update of evaluated_at on trail_evaluation
      for each row when (old.evaluated_at / ${sql.literal(MINUTE)} <> new.evaluated_at / ${sql.literal(MINUTE)})
      execute function flow_activity_keep()`
  })

/** The minute of the latest activity of each flow. */
export const flowActivity = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const lookup = sql.literal(LOOKUP)
  yield* sql`${sql.literal(QUIET)}`
  yield* tables(sql)
  yield* sql`${sql.literal(FILL)}`
  yield* sql`create function flow_activity_keep() returns trigger
    language plpgsql ${lookup} as $$ ${sql.literal(KEEP)} $$`
  yield* sql`create function flows_by_activity(org text, falling boolean, wanted int8)
    returns text[] language plpgsql stable ${lookup} set enable_sort = off
    as $$ ${sql.literal(CANDIDATES)} $$`
  yield* openFunctions(sql, ["flow_activity_keep()", "flows_by_activity(text, boolean, int8)"])
  yield* triggers(sql)
  yield* withoutStatistics(sql)
})
