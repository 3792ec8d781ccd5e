/**
 * The tables of what was known when, and the triggers that follow flows, allow-lists and attached policies.
 *
 * A number of 0 and below is that of something that was written before there were numbers: every numbered judging has
 * seen it. `to_known` and `to_at` are null while something holds.
 */
import type { SqlClient } from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { APPLICATION_ROLE, protect } from "./TenantTable.js"

/** The second key of the lock of an org that changes of flows and judgings share; the first is the org. */
export const FLOWS_LOCK = 1

/**
 * Waits until no transaction writes what the triggers follow, and keeps others waiting until the migration ends.
 *
 * WHY again and again: transactions take these tables in several orders, so waiting for one while holding another could
 * be a deadlock. After a short time everything is let go, and tried once more.
 */
const QUIET = `do $$
  begin
    perform set_config('lock_timeout', '200ms', true);
    for attempt in 1..600 loop
      begin
        lock table environment in exclusive mode;
        lock table flow, allow_list in exclusive mode;
        lock table snapshot in access exclusive mode;
        perform set_config('lock_timeout', '0', true);
        return;
      exception when lock_not_available then
        perform pg_sleep(0.05);
      end;
    end loop;
    raise exception 'environments are never free of transactions: stop the older processes and start again';
  end $$`

/** Waits for transactions that write what the triggers follow. */
export const wait = (sql: SqlClient) => sql`${sql.literal(QUIET)}`

const evidence = (sql: SqlClient) =>
  Effect.all([
    sql`create table trail_knowledge (
      org_id text collate "C" not null,
      trail_id text collate "C" not null,
      sequence int8 not null,
      known int8 not null,
      at int8 not null,
      template_id text collate "C" not null,
      status text not null,
      primary key (org_id, trail_id, sequence)
    )`,
    protect(sql, "trail_knowledge", "select, insert"),
    sql`create table flow_version (
      org_id text collate "C" not null,
      flow_id text collate "C" not null,
      known int8 not null,
      at int8 not null,
      name text collate "C" not null,
      tags jsonb not null,
      template_id text collate "C" not null,
      archived_at int8,
      primary key (org_id, flow_id, known)
    )`,
    protect(sql, "flow_version", "select, insert")
  ])

const environments = (sql: SqlClient) =>
  Effect.all([
    // Judgings of all rows, quiet or not, and the snapshot in force after each.
    sql`create table judging (
      org_id text collate "C" not null,
      environment_id text collate "C" not null,
      known int8 not null,
      at int8 not null,
      index int4 not null,
      primary key (org_id, environment_id, known)
    )`,
    protect(sql, "judging", "select, insert"),
    sql`create table allowance (
      org_id text collate "C" not null,
      environment_id text collate "C" not null,
      fingerprint text collate "C" not null,
      from_known int8 not null,
      from_at int8 not null,
      to_known int8,
      to_at int8,
      name text not null,
      reason text not null,
      created_by text not null,
      primary key (org_id, environment_id, fingerprint, from_known)
    )`,
    protect(sql, "allowance", "select, insert"),
    sql`create table policy_attachment (
      org_id text collate "C" not null,
      environment_id text collate "C" not null,
      policy_id text collate "C" not null,
      from_known int8 not null,
      from_at int8 not null,
      to_known int8,
      to_at int8,
      mode text not null,
      primary key (org_id, environment_id, policy_id, from_known)
    )`,
    protect(sql, "policy_attachment", "select, insert"),
    sql`grant update (to_known, to_at) on allowance, policy_attachment to ${sql(APPLICATION_ROLE)}`,
    // WHY null: snapshots of before, and of processes of the release before, have none.
    sql`alter table snapshot add column known int8, add column semantics int4 not null default 1`
  ])

/** The sequence and the tables. */
export const create = (sql: SqlClient) =>
  Effect.gen(function* () {
    yield* sql`create sequence knowledge_sequence as int8`
    yield* sql`grant usage on sequence knowledge_sequence to ${sql(APPLICATION_ROLE)}`
    yield* evidence(sql)
    yield* environments(sql)
  })

const NOW = "(extract(epoch from clock_timestamp()) * 1000000)::int8"

/**
 * How often a change of a flow tries, a hundredth of a second apart, before it waits in line.
 *
 * WHY it tries first: judgings that come later wait behind a change that waits in line for a long report.
 */
const FLOWS_TRIES = 200

/** WHY the clock and not `last_modified_at`: a new name is written before it. */
const FLOW = `
  begin
    if tg_op = 'UPDATE' then
      if new.name <> old.name or new.tags <> old.tags
        or new.archived_at is distinct from old.archived_at
      then
        for attempt in 1..${FLOWS_TRIES} loop
          exit when pg_try_advisory_xact_lock(hashtext(new.org_id), ${FLOWS_LOCK});
          perform pg_sleep(0.01);
        end loop;
        perform pg_advisory_xact_lock(hashtext(new.org_id), ${FLOWS_LOCK});
      elsif new.template_id = old.template_id then
        return null;
      end if;
    end if;
    insert into flow_version (org_id, flow_id, known, at, name, tags, template_id, archived_at)
      values (new.org_id, new.flow_id, nextval('knowledge_sequence'),
        case tg_op when 'INSERT' then new.created_at else ${NOW} end,
        new.name, new.tags, new.template_id, new.archived_at);
    return null;
  end`

const ALLOWANCE = `
  declare
    number int8 := nextval('knowledge_sequence');
  begin
    if tg_op <> 'INSERT' then
      update allowance a set to_known = number,
          to_at = case tg_op when 'DELETE' then ${NOW} else new.created_at end
        where a.org_id = old.org_id and a.environment_id = old.environment_id
          and a.fingerprint = old.fingerprint and a.to_known is null;
    end if;
    if tg_op <> 'DELETE' then
      insert into allowance (org_id, environment_id, fingerprint, from_known, from_at, name, reason,
          created_by)
        values (new.org_id, new.environment_id, new.fingerprint, number, new.created_at, new.name,
          new.reason, new.created_by);
    end if;
    return null;
  end`

const ATTACHMENT = `
  declare
    number int8 := nextval('knowledge_sequence');
  begin
    update policy_attachment a set to_known = number, to_at = new.last_modified_at
      where a.org_id = new.org_id and a.environment_id = new.environment_id and a.to_known is null
        and not (new.policies @> to_jsonb(a.policy_id)
          and coalesce(new.policy_modes ->> a.policy_id, 'enforce') = a.mode);
    insert into policy_attachment (org_id, environment_id, policy_id, from_known, from_at, mode)
      select new.org_id, new.environment_id, p.id, number, new.last_modified_at,
        coalesce(new.policy_modes ->> p.id, 'enforce')
      from (select distinct jsonb_array_elements_text(new.policies) as id) p
      where not exists (select from policy_attachment a where a.org_id = new.org_id
        and a.environment_id = new.environment_id and a.policy_id = p.id and a.to_known is null);
    return null;
  end`

const CHANGED =
  "old.policies is distinct from new.policies or old.policy_modes is distinct from new.policy_modes"

/** The triggers. */
export const follow = (sql: SqlClient) =>
  Effect.gen(function* () {
    yield* sql`create function flow_version_append() returns trigger
      language plpgsql set search_path = attestry, pg_temp as $$ ${sql.literal(FLOW)} $$`
    yield* sql`create function allowance_append() returns trigger
      language plpgsql set search_path = attestry, pg_temp as $$ ${sql.literal(ALLOWANCE)} $$`
    yield* sql`create function policy_attachment_append() returns trigger
      language plpgsql set search_path = attestry, pg_temp as $$ ${sql.literal(ATTACHMENT)} $$`
    yield* sql`revoke all on function flow_version_append(), allowance_append(),
      policy_attachment_append() from public`
    yield* sql`create trigger flow_version_append after insert or update on flow
      for each row execute function flow_version_append()`
    yield* sql`create trigger allowance_append after insert or update or delete on allow_list
      for each row execute function allowance_append()`
    yield* sql`create trigger policy_attachment_created after insert on environment
      for each row when (new.policies <> '[]') execute function policy_attachment_append()`
    yield* sql`create trigger policy_attachment_changed after update of policies, policy_modes
      on environment for each row when (${sql.literal(CHANGED)})
      execute function policy_attachment_append()`
  })
