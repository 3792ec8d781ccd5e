-- Environments of all orgs whose due instant has passed, those due first first, and the time until the next one.
--
-- Runs as the owner: it reads across orgs. The setting lets the policy `due` show it environments that have a due instant.
create function due_environments(most int4, out due json, out next_in_millis int8)
language plpgsql stable security definer
set search_path = attestry, pg_temp
set "attestry.due" = 'on'
as $$
declare
  instant int8 := (extract(epoch from clock_timestamp()) * 1000000)::int8;
begin
  select coalesce(json_agg(json_build_object('org', e.org_id, 'environment', e.environment_id,
      'lateMillis', (instant - e.due_at) / 1000)), '[]') into due
    from (select d.org_id, d.environment_id, d.due_at from environment d
      where d.due_at <= instant and d.archived_at is null
      order by d.due_at, d.type = 'logical', d.environment_id limit most) e;
  select ceil((min(e.due_at) - instant) / 1000.0) into next_in_millis from environment e
    where e.due_at > instant and e.archived_at is null;
end
$$;

grant execute on function due_environments to attestry_app;
