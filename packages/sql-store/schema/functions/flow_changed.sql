-- Records that a part of a flow has changed, for `apply_flow_changes`.
create function flow_changed(org text, flow text, changed text)
returns void
language plpgsql
set search_path = attestry, pg_temp
set plan_cache_mode = force_generic_plan
as $$
declare
  now_at int8;
begin
  insert into flow_change_counter as c (org_id, number) values (org, 1)
    on conflict (org_id) do update set number = c.number + 1
    returning c.number into now_at;
  insert into flow_change (org_id, flow_id, part, number) values (org, flow, changed, now_at)
    on conflict (org_id, flow_id, part) do update set number = excluded.number;
end
$$;

grant execute on function flow_changed to attestry_app;
