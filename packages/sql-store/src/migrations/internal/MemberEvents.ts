/**
 * The events of logical environments: what its members' rows did in each of its snapshots. DECISION B-146
 *
 * An event of a logical environment names the member whose row it is about. A member that moved on gives the
 * events of its own snapshot; the rows of one that joined have started, those of one that left have exited.
 */
import type { SqlClient } from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { openFunctions } from "./TenantTable.js"

/** The events of so many changes are printed at once; see `AuditLogSql`. */
const BUCKET_CHANGES_MAX = "2000"

const MEMBERS = "(environment_id text, index int4)"

/** WHY `offset 0`: the inner query is run as it stands, by the key of its table. */
const moved = `select c.member, e.bucket, e.row_no, e.type, e.was, e.now, r.name, r.fingerprint
  from change c
  cross join lateral (select e.bucket, e.row_no, e.type, e.was, e.now from snapshot_event e
    where e.org_id = org and e.environment_id = c.member and e.index = c.after offset 0) e
  cross join lateral (select r.name, r.fingerprint from snapshot_row r
    where r.org_id = org and r.environment_id = c.member and r.bucket = e.bucket
      and r.row_no = e.row_no offset 0) r
  where c.before is not null and c.after is not null`

const cameOrWent = `select c.member, r.bucket, r.row_no,
    case when c.after is null then 'exited' else r.started end,
    case when c.after is null then r.instances else 0 end,
    case when c.after is null then 0 else r.instances end, r.name, r.fingerprint
  from change c
  cross join lateral (select s.bucket, s.index from snapshot s where s.org_id = org
    and s.environment_id = c.member and s.index = coalesce(c.after, c.before) offset 0) s
  cross join lateral (select r.bucket, r.row_no, r.name, r.fingerprint,
      json_array_length(r.doc::json -> 0) as instances, case r.verdict
        when 'Compliant' then 'started-compliant' when 'NonCompliant' then 'started-non-compliant'
        else 'started-unknown' end as started
    from snapshot_row r where r.org_id = org and r.environment_id = c.member
      and r.bucket = s.bucket and r.first_index <= s.index and r.last_index >= s.index offset 0) r
  where c.before is null or c.after is null`

/** DECISION D9.2; two members may run the same, so the member decides last. */
const ORDER = `case when t.type = 'exited' then 0 when t.type like 'started-%' then 2 else 1 end,
  t.name, t.fingerprint, t.member`

const INSERT = `insert into snapshot_event (org_id, environment_id, index, position, bucket, row_no,
    type, was, now, arrived, member_id)
  with change as materialized (
    select coalesce(n.environment_id, o.environment_id) as member, o.index as before,
        n.index as after
      from jsonb_to_recordset(old_members) as o ${MEMBERS}
      full join jsonb_to_recordset(new_members) as n ${MEMBERS}
        on n.environment_id = o.environment_id
      where o.index is distinct from n.index),
  told (member, bucket, row_no, type, was, now, name, fingerprint) as (
    ${moved} union all ${cameOrWent})
  select org, env, at_index, row_number() over (order by ${ORDER}), t.bucket, t.row_no, t.type, t.was,
      t.now, false, t.member
    from told t`

/** What a later migration adds to the statements that append a snapshot. */
interface Added {
  /** Columns of `snapshot`, and their values. */
  readonly columns: string
  readonly values: string
  /** Statements after the snapshot. */
  readonly after: string
}

/** How `logical_snapshot_append` is made; a later migration that adds to it passes its own statements. */
export const appendWith = (
  { after, columns, values }: Added = { columns: "", values: "", after: "" }
): string => `
  declare
    next_index int4 := (draft ->> 'index')::int4;
    old snapshot;
    told int4;
    is_full boolean;
    judged_by bytea := case when draft -> 'policies' <> '[]'
      then sha256(convert_to((draft -> 'policies')::text, 'UTF8')) end;
  begin
    select * into old from snapshot s
      where s.org_id = org and s.environment_id = env order by s.index desc limit 1;
    told := member_events(org, env, next_index, coalesce(old.members, '[]'), draft -> 'members');
    is_full := coalesce(old.changes, 0) + told > ${BUCKET_CHANGES_MAX};
    insert into snapshot_policies (org_id, digest, policies)
      select org, judged_by, draft -> 'policies' where judged_by is not null
      on conflict do nothing;
    insert into snapshot (org_id, environment_id, index, timestamp, verdict, count_true,
        count_false, count_null, bucket, changes, events_total, members, policies_digest${columns})
      values (org, env, next_index, (draft ->> 'timestamp')::int8, draft ->> 'verdict',
        (draft #>> '{counts,true}')::int4, (draft #>> '{counts,false}')::int4,
        (draft #>> '{counts,"null"}')::int4,
        coalesce(old.bucket, 0) + case when is_full then 1 else 0 end,
        case when is_full then told else coalesce(old.changes, 0) + told end,
        coalesce(old.events_total, 0) + told, draft -> 'members', judged_by${values});${after}
  end`

const APPEND = appendWith()

const SIGNATURES = [
  "member_events(text, text, int4, jsonb, jsonb)",
  "logical_snapshot_append(text, text, jsonb)"
]

/** The column that names the member of an event, and how snapshots of logical environments are appended. */
export const create = (sql: SqlClient) =>
  Effect.gen(function* () {
    yield* sql`alter table snapshot_event add column member_id text collate "C"`
    // WHY `security invoker`, the default: both run as the application, bound by every policy.
    yield* sql`create function member_events(
        org text, env text, at_index int4, old_members jsonb, new_members jsonb
      ) returns int4
      language plpgsql set search_path = attestry, pg_temp as $$
      declare
        told int4;
      begin
        ${sql.literal(INSERT)};
        get diagnostics told = row_count;
        return told;
      end
      $$`
    yield* sql`create function logical_snapshot_append(org text, env text, draft jsonb) returns void
      language plpgsql set search_path = attestry, pg_temp as $$ ${sql.literal(APPEND)} $$`
    yield* openFunctions(sql, SIGNATURES)
  })

/** The events of snapshots that logical environments have already. */
export const fill = (sql: SqlClient) => sql`do $$
  declare
    s record;
    place text := '';
    told int4;
    total int8;
    since int4;
    part int4;
  begin
    for s in select t.org_id, t.environment_id, t.index, t.members,
        lag(t.members, 1, '[]') over (partition by t.org_id, t.environment_id order by t.index)
          as before
      from snapshot t where t.members is not null order by t.org_id, t.environment_id, t.index
    loop
      if place <> s.environment_id then
        place := s.environment_id;
        total := 0;
        since := 0;
        part := 0;
      end if;
      told := member_events(s.org_id, s.environment_id, s.index, s.before, s.members);
      total := total + told;
      since := since + told;
      if since > ${sql.literal(BUCKET_CHANGES_MAX)} then
        part := part + 1;
        since := told;
      end if;
      update snapshot u set events_total = total, changes = since, bucket = part
        where u.org_id = s.org_id and u.environment_id = s.environment_id and u.index = s.index;
    end loop;
  end
  $$`
