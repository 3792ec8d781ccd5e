-- Brings an environment, which the caller has locked, to a value of `flow_change_counter`: it is pending where a change of a policy
-- moved the counter, and its report digests are cleared where that or `has_flow_changes`.
create function apply_flow_changes(e environment, clock int8)
returns environment
language plpgsql
set search_path = attestry, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  e.is_pending := e.is_pending or exists (select from environment_behind b
    where b.org_id = e.org_id and b.environment_id = e.environment_id);
  if e.is_pending or has_flow_changes(e) then
    e.body_digest := null;
    e.rows_digest := null;
  end if;
  e.flow_changes_seen := clock;
  update environment set flow_changes_seen = e.flow_changes_seen, is_pending = e.is_pending, body_digest = e.body_digest,
      rows_digest = e.rows_digest
    where org_id = e.org_id and environment_id = e.environment_id;
  return e;
end
$$;

grant execute on function apply_flow_changes to attestry_app;
