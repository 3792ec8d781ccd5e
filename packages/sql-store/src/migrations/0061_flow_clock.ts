/**
 * How environments learn that a flow was tagged, renamed or archived: each org has a clock that such a change
 * moves in its own transaction, and each environment keeps the reading at which it was last judged.
 *
 * A judging reads the clock before it reads what flows say. So a change that it did not see has a later reading
 * than the one that the environment keeps, whichever environments read the flow when the change commits, and the next
 * report finds the difference. Neither waits for the other. DECISION B-140
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { stateOf } from "./0031_lock_environment.js"
import { KEYED, openFunctions, protect } from "./internal/TenantTable.js"

/**
 * INVARIANT: a change holds the row of its org's clock until it commits, so readings become visible in their
 * order; one that is visible has everything below it visible too.
 */
const tables = (sql: SqlClient.SqlClient) =>
  Effect.all([
    sql`create table flow_clock (
      org_id text collate "C" not null references org,
      reading int8 not null,
      primary key (org_id)
    )`,
    protect(sql, "flow_clock", "select, insert, update"),
    // The last change of each part of a flow that policies can look at.
    sql`create table flow_change (
      org_id text collate "C" not null,
      flow_id text collate "C" not null,
      part text collate "C" not null,
      reading int8 not null,
      primary key (org_id, flow_id, part),
      foreign key (org_id, flow_id) references flow
    )`,
    sql`create index flow_change_by_reading on flow_change (org_id, reading)`,
    protect(sql, "flow_change", "select, insert, update"),
    // WHY -1: an environment that was judged before there was a clock is judged again with its next report.
    sql`alter table environment add column flows_seen int8 not null default -1`,
    sql`alter table environment alter column flows_seen set default 0`
  ])

const CLOCK = "coalesce((select c.reading from flow_clock c where c.org_id = org), 0)"

/** Records that a part of a flow has changed. */
const CHANGED = `
  declare
    now_at int8;
  begin
    insert into flow_clock as c (org_id, reading) values (org, 1)
      on conflict (org_id) do update set reading = c.reading + 1
      returning c.reading into now_at;
    insert into flow_change (org_id, flow_id, part, reading) values (org, flow, changed, now_at)
      on conflict (org_id, flow_id, part) do update set reading = excluded.reading;
  end`

/** The parts of flows that the policies of the environment, or of a logical one above it, look at. */
const PARTS = `array(select distinct part.name
  from (select e.policies union all select g.policies from environment g
      where g.org_id = e.org_id and g.type = 'logical' and g.archived_at is null
        and g.included @> jsonb_build_array(e.environment_id)) as reading (policies),
    jsonb_array_elements_text(reading.policies) as attached (id)
    join policy p on p.org_id = e.org_id and p.policy_id = attached.id,
    jsonb_array_elements_text(p.reads) as part (name))`

/** Whether a flow with records of what the environment `e` runs has changed since, in one of these parts. */
const changedIn = (parts: string): string => `e.flows_seen < 0 or exists (select from flow_change c
        where c.org_id = e.org_id and c.reading > e.flows_seen and c.part = any (${parts})
          and exists (select from artifact a
            join running_fingerprint f on f.org_id = a.org_id and f.fingerprint = a.fingerprint
              and f.environment_id = e.environment_id
            where a.org_id = e.org_id and a.flow_id = c.flow_id))`

/** Whether the environment `e` has not been evaluated with what flows say now. */
export const IS_BEHIND = changedIn(PARTS)

/**
 * Brings an environment that the caller has locked to a reading of the clock: its digests are cleared when a
 * flow with records of what it runs has changed since, in a part that its policies read.
 */
const SEEN = `
  declare
    parts text[] := ${PARTS};
  begin
    if ${changedIn("parts")}
    then
      e.body_digest := null;
      e.rows_digest := null;
    end if;
    e.flows_seen := clock;
    update environment set flows_seen = e.flows_seen, body_digest = e.body_digest,
        rows_digest = e.rows_digest
      where org_id = e.org_id and environment_id = e.environment_id;
    return e;
  end`

/**
 * WHY the clock before the state: the state is read for the flows of that reading. `state` reads it; `first` runs
 * before the environment is locked.
 */
export const lockEnvironment = (state: string, first = ""): string => `
  declare
    e environment;
    head snapshot;
    is_known boolean;
    clock int8;
  begin${first}
    if wanted_id is null then
      select * into e from environment
        where org_id = org and name = wanted and archived_at is null for update;
      if not found then
        select old.environment_id into wanted_id from environment_former_name old
          where old.org_id = org and old.name = wanted;
      end if;
    end if;
    if e.environment_id is null then
      select * into e from environment
        where org_id = org and environment_id = wanted_id for update;
    end if;
    if e.environment_id is null then return; end if;
    clock := ${CLOCK};
    if e.flows_seen < clock then e := see_flows(e, clock); end if;
    document := row_to_json(e);
    now := (extract(epoch from clock_timestamp()) * 1000000)::int8;
    ${state}
  end`

/**
 * Without a lock, an environment that is behind the clock is returned without digests: its next report is then
 * decided under the lock.
 */
const BY_NAME = `
  declare
    named text := set_config('attestry.org_id', org, true);
    clock int8 := ${CLOCK};
    seen int8;
  begin
    now := (extract(epoch from clock_timestamp()) * 1000000)::int8;
    foreach asked in array wanted loop
      select row_to_json(e), e.flows_seen into document, seen
        from environment e where e.org_id = named and e.name = asked and e.archived_at is null;
      if document is null then
        select row_to_json(e), e.flows_seen into document, seen
          from environment_former_name f
          join environment e on e.org_id = f.org_id and e.environment_id = f.environment_id
          where f.org_id = named and f.name = asked;
      end if;
      if seen < clock then
        document := (document::jsonb || '{"body_digest": null, "rows_digest": null}')::json;
      end if;
      return next;
    end loop;
  end`

const LOCK = lockEnvironment(stateOf())

/** The clock of flows. */
export const flowClock = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const settings = sql.literal(`language plpgsql set search_path = attestry, pg_temp ${KEYED}`)
  yield* tables(sql)
  yield* sql`create function flow_changed(org text, flow text, changed text) returns void
    ${settings} as $$ ${sql.literal(CHANGED)} $$`
  yield* sql`create function see_flows(e environment, clock int8) returns environment
    ${settings} as $$ ${sql.literal(SEEN)} $$`
  yield* openFunctions(sql, ["flow_changed(text, text, text)", "see_flows(environment, int8)"])
  yield* sql`create or replace function lock_environment(
      org text, wanted text, wanted_id text, known_id text, known_at int8, arriving jsonb,
      out document json, out now int8, out state json
    ) ${settings} as $$ ${sql.literal(LOCK)} $$`
  yield* sql`create or replace function environments_by_name(
      org text, wanted text[], out asked text, out document json, out now int8
    ) returns setof record ${settings} as $$ ${sql.literal(BY_NAME)} $$`
})
