-- Orgs with changes of policies that not every environment was evaluated with, and the time since the first of them.
--
-- Runs as the owner: it reads across orgs. The setting lets the policy `due` show it the changes.
create function behind_orgs()
returns table(id text, late_millis int8)
language plpgsql security definer
set search_path = attestry, pg_temp
as $$
declare
  instant int8 := (extract(epoch from clock_timestamp()) * 1000000)::int8;
begin
  perform set_config('attestry.due', 'on', true);
  return query select c.org_id, greatest((instant - min(c.since)) / 1000, 0) from policy_change c group by c.org_id;
  perform set_config('attestry.due', '', true);
end
$$;

grant execute on function behind_orgs to attestry_app;
