-- Records that a part of a flow has changed, for `apply_flow_changes`.
create function flow_changed(org text, flow text, changed text)
returns void
language plpgsql
set search_path = attestry, pg_temp
set plan_cache_mode = force_generic_plan
as $$
declare
  now_at int8 := flow_changes_next(org);
begin
  insert into flow_change (org_id, flow_id, part, number) values (org, flow, changed, now_at)
    on conflict (org_id, flow_id, part) do update set number = excluded.number;
end
$$;

grant execute on function flow_changed to attestry_app;
