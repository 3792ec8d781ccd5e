-- Brings an environment, which the caller has locked, to a value of `flow_clock`: its report digests are cleared where a flow
-- with reports of what it runs has changed since, in a part that its policies read.
create function see_flows(e environment, clock int8)
returns environment
language plpgsql
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
  if e.flows_seen < 0 or exists (select from flow_change c
    where c.org_id = e.org_id and c.reading > e.flows_seen and c.part = any (parts)
      and exists (select from artifact a
        join running_fingerprint f on f.org_id = a.org_id and f.fingerprint = a.fingerprint
          and f.environment_id = e.environment_id
        where a.org_id = e.org_id and a.flow_id = c.flow_id))
  then
    e.body_digest := null;
    e.rows_digest := null;
  end if;
  e.flows_seen := clock;
  update environment set flows_seen = e.flows_seen, body_digest = e.body_digest,
      rows_digest = e.rows_digest
    where org_id = e.org_id and environment_id = e.environment_id;
  return e;
end
$$;

grant execute on function see_flows to attestry_app;
