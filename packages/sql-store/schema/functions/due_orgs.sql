-- Orgs with an environment whose due instant or next look for silence has passed, and the time until the next one of all orgs.
--
-- Runs as the owner: it reads across orgs. The setting lets the policy `due` show it environments that have a due instant.
create function due_orgs(out orgs json, out next_in_millis int8)
language plpgsql security definer
set search_path = attestry, pg_temp
as $$
declare
  instant int8 := (extract(epoch from clock_timestamp()) * 1000000)::int8;
begin
  perform set_config('attestry.due', 'on', true);
  select coalesce(json_agg(json_build_object('id', e.org_id, 'lateMillis', (instant - e.due_at) / 1000)), '[]') into orgs
    from (select f.org_id, min(f.due_at) as due_at
      from (select d.org_id, d.due_at from environment d where d.due_at <= instant and d.archived_at is null
        union all select s.org_id, s.silence_due_at from environment s
          where s.silence_due_at <= instant and s.archived_at is null) f
      group by f.org_id) e;
  select ceil((least(
      (select min(d.due_at) from environment d where d.due_at > instant and d.archived_at is null),
      (select min(s.silence_due_at) from environment s where s.silence_due_at > instant and s.archived_at is null))
    - instant) / 1000.0) into next_in_millis;
  perform set_config('attestry.due', '', true);
end
$$;

grant execute on function due_orgs to attestry_app;
