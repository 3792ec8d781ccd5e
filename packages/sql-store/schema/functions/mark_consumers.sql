-- Makes the active environments that a policy is attached to pending, or one of them, and returns their ids.
--
-- Where there are more than `most`, none is written: the counter of flow changes moves, which every environment compares before it
-- is read or reports. Evaluations of the org are waited for first, so that each is either before or after the change. The caller
-- holds the policy, so that none is attached meanwhile. WHY the setting: tests move the limit.
create function mark_consumers(org text, changed text, only_in text, most int4)
returns setof text
language plpgsql
set search_path = attestry, pg_temp
set plan_cache_mode = force_generic_plan
as $$
declare
  narrow_max int4 := coalesce(nullif(current_setting('attestry.wide_above', true), '')::int4, most);
begin
  if only_in is null and narrow_max < (select count(*) from (select from environment l
      where l.org_id = org and l.policies <> '[]' and l.archived_at is null and l.policies @> jsonb_build_array(changed)
      limit narrow_max + 1) counted) then
    perform lock_evaluations(org, 200);
    insert into policy_change (org_id, policy_id, number, since)
      values (org, changed, flow_changes_next(org), (extract(epoch from clock_timestamp()) * 1000000)::int8)
      on conflict (org_id, policy_id) do update set number = excluded.number;
    return;
  end if;
  -- WHY ordered: reports lock an environment before the logical ones that include it.
  return query update environment e set is_pending = true, body_digest = null, rows_digest = null
    from (select l.environment_id from environment l
      where l.org_id = org and l.policies <> '[]' and l.archived_at is null and l.policies @> jsonb_build_array(changed)
        and (only_in is null or l.environment_id = only_in)
      order by l.type = 'logical', l.environment_id for update) consuming
    where e.org_id = org and e.environment_id = consuming.environment_id
    returning e.environment_id;
end
$$;

grant execute on function mark_consumers to attestry_app;
