/**
 * What was known before there were numbers, from the journal: versions of flows, what was allowed, what was attached.
 *
 * Each org's entries have the numbers below 0 in their order. Where the journal does not end with what stands, what
 * stands is written with the number 0, so that nothing that holds is missing.
 */
import type { SqlClient } from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/** The content of an entry; null for one that cannot be read, so that a damaged journal stops no migration. */
export const READ = `create function knowledge_content(content bytea) returns jsonb
  language plpgsql set search_path = attestry, pg_temp as $$
  begin
    return convert_from(content, 'UTF8')::jsonb;
  exception when others then
    return null;
  end $$`

const FLOWS = `
  insert into flow_version (org_id, flow_id, known, at, name, tags, template_id, archived_at)
    select each, j.subject_id, -(row_number() over (order by j.sequence desc)), j.at, c.flow ->> 'name',
      c.flow -> 'tags', c.flow ->> 'template_id', (c.flow ->> 'archived_at')::int8
    from journal j cross join lateral (select knowledge_content(j.content) as flow) c
    where j.org_id = each and j.subject_type = 'flow'
      and j.kind in ('flow_created', 'flow_updated', 'flow_renamed', 'flow_tagged', 'flow_archived')
      and c.flow ->> 'name' is not null and c.flow ->> 'template_id' is not null
      and jsonb_typeof(c.flow -> 'tags') = 'object';
  insert into flow_version (org_id, flow_id, known, at, name, tags, template_id, archived_at)
    select f.org_id, f.flow_id, 0, f.last_modified_at, f.name, f.tags, f.template_id, f.archived_at
    from flow f left join lateral (select v.* from flow_version v where v.org_id = each
      and v.flow_id = f.flow_id order by v.known desc limit 1) v on true
    where f.org_id = each and (v.flow_id is null or v.name <> f.name or v.tags <> f.tags
      or v.template_id <> f.template_id or v.archived_at is distinct from f.archived_at);`

const ALLOWED = `
  insert into allowance (org_id, environment_id, fingerprint, from_known, from_at, to_known, to_at,
      name, reason, created_by)
    select each, environment_id, fingerprint, known, at, next_known, next_at, coalesce(name, ''),
      coalesce(reason, ''), coalesce(created_by, '')
    from (select e.*, lead(known) over per_content as next_known, lead(at) over per_content as next_at
      from (select j.subject_id as environment_id, c.entry ->> 'fingerprint' as fingerprint,
          -(row_number() over (order by j.sequence desc)) as known, j.at, j.kind,
          c.entry ->> 'name' as name, c.entry ->> 'reason' as reason,
          c.entry ->> 'created_by' as created_by
        from journal j cross join lateral (select knowledge_content(j.content) as entry) c
        where j.org_id = each and j.subject_type = 'environment'
          and j.kind in ('artifact_allowed', 'artifact_allowed_again', 'artifact_disallowed')
          and c.entry ->> 'fingerprint' is not null) e
      window per_content as (partition by environment_id, fingerprint order by known)) told
    where kind <> 'artifact_disallowed';
  update allowance a set to_known = 0, to_at = ended
    where a.org_id = each and a.to_known is null and not exists (select from allow_list l
      where l.org_id = each and l.environment_id = a.environment_id and l.fingerprint = a.fingerprint);
  insert into allowance (org_id, environment_id, fingerprint, from_known, from_at, name, reason,
      created_by)
    select l.org_id, l.environment_id, l.fingerprint, 0, l.created_at, l.name, l.reason, l.created_by
    from allow_list l where l.org_id = each and not exists (select from allowance a
      where a.org_id = each and a.environment_id = l.environment_id
        and a.fingerprint = l.fingerprint and a.to_known is null);`

const ATTACHED = `
  insert into policy_attachment (org_id, environment_id, policy_id, from_known, from_at, to_known,
      to_at, mode)
    select each, environment_id, policy_id, known, at, next_known, next_at, coalesce(mode, 'enforce')
    from (select e.*, lead(known) over per_policy as next_known, lead(at) over per_policy as next_at
      from (select c.entry ->> 'environment_id' as environment_id, j.subject_id as policy_id,
          -(row_number() over (order by j.sequence desc)) as known, j.at, j.kind,
          c.entry ->> 'mode' as mode
        from journal j cross join lateral (select knowledge_content(j.content) as entry) c
        where j.org_id = each and j.subject_type = 'policy'
          and j.kind in ('policy_attached', 'policy_detached', 'policy_mode_changed')
          and c.entry ->> 'environment_id' is not null) e
      window per_policy as (partition by environment_id, policy_id order by known)) told
    where kind <> 'policy_detached';
  update policy_attachment a set to_known = 0, to_at = ended
    where a.org_id = each and a.to_known is null and not exists (select from environment e
      where e.org_id = each and e.environment_id = a.environment_id
        and e.policies @> to_jsonb(a.policy_id)
        and coalesce(e.policy_modes ->> a.policy_id, 'enforce') = a.mode);
  insert into policy_attachment (org_id, environment_id, policy_id, from_known, from_at, mode)
    select e.org_id, e.environment_id, p.id, 0, e.last_modified_at,
      coalesce(e.policy_modes ->> p.id, 'enforce')
    from environment e
    cross join lateral (select distinct jsonb_array_elements_text(e.policies) as id) p
    where e.org_id = each and not exists (select from policy_attachment a where a.org_id = each
      and a.environment_id = e.environment_id and a.policy_id = p.id and a.to_known is null);`

/** Row-level security shows one org at a time, to the owner too. */
const FILL = `do $$
  declare
    each text;
    named text := current_setting('attestry.org_id', true);
    ended int8 := (extract(epoch from clock_timestamp()) * 1000000)::int8;
  begin
    for each in select org_id from org loop
      perform set_config('attestry.org_id', each, true);
      ${FLOWS}
      ${ALLOWED}
      ${ATTACHED}
    end loop;
    perform set_config('attestry.org_id', coalesce(named, ''), true);
  end $$`

/** Fills the tables. */
export const fill = (sql: SqlClient) =>
  Effect.gen(function* () {
    yield* sql`${sql.literal(READ)}`
    yield* sql`${sql.literal(FILL)}`
    yield* sql`drop function knowledge_content(bytea)`
  })
