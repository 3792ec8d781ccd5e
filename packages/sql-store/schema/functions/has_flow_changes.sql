-- Whether there is evidence since the last evaluation about a fingerprint that the environment runs as one of very many; or a
-- flow with reports of what it runs has changed since then, in a part that the policies of the environment, or of a logical one
-- above it, read.
create function has_flow_changes(e environment)
returns boolean
language plpgsql stable
set search_path = attestry, pg_temp
set plan_cache_mode = force_generic_plan
as $$
declare
  parts text[] := array(select distinct part.name
    from (select e.policies union all select g.policies from environment g
        where g.org_id = e.org_id and g.type = 'logical' and g.archived_at is null
          and g.included @> jsonb_build_array(e.environment_id)) as reading (policies),
      jsonb_array_elements_text(reading.policies) as attached (id)
      join policy p on p.org_id = e.org_id and p.policy_id = attached.id,
      jsonb_array_elements_text(p.reads) as part (name));
begin
  return exists (select from fingerprint_change c
    where c.org_id = e.org_id and c.number > e.flow_changes_seen
      and exists (select from running_fingerprint f where f.org_id = c.org_id
        and f.fingerprint = c.fingerprint and f.environment_id = e.environment_id))
  or exists (select from flow_change c
    where c.org_id = e.org_id and c.number > e.flow_changes_seen and c.part = any (parts)
      and exists (select from artifact a
        join running_fingerprint f on f.org_id = a.org_id and f.fingerprint = a.fingerprint
          and f.environment_id = e.environment_id
        where a.org_id = e.org_id and a.flow_id = c.flow_id));
end
$$;

grant execute on function has_flow_changes to attestry_app;
