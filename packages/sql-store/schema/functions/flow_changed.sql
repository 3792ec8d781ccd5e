-- Records that a part of a flow has changed, for `see_flows`.
create function flow_changed(org text, flow text, changed text)
returns void
language plpgsql
set search_path = attestry, pg_temp
set plan_cache_mode = force_generic_plan
as $$
declare
  now_at int8;
begin
  insert into flow_clock as c (org_id, reading) values (org, 1)
    on conflict (org_id) do update set reading = c.reading + 1
    returning c.reading into now_at;
  insert into flow_change (org_id, flow_id, part, reading) values (org, flow, changed, now_at)
    on conflict (org_id, flow_id, part) do update set reading = excluded.reading;
end
$$;

grant execute on function flow_changed to attestry_app;
