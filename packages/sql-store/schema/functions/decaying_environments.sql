-- Compliant environments of all orgs that are due within a time, those due first first, where the org has a subscription
-- to decays and the instant was not announced.
--
-- Runs as the owner: it reads across orgs. The setting lets the policies `due` show it environments that have a due
-- instant, and subscriptions.
create function decaying_environments(within_seconds int8)
returns table(org text, environment text)
language plpgsql security definer
set search_path = attestry, pg_temp
as $$
begin
  perform set_config('attestry.due', 'on', true);
  return query select e.org_id, e.environment_id from environment e
    where e.due_at <= (extract(epoch from clock_timestamp()) * 1000000)::int8 + within_seconds * 1000000
      and e.archived_at is null and e.verdict = 'Compliant'
      and exists (select from environment_notification n
        where n.org_id = e.org_id and n.triggers ? 'ON_DECAYING_ENV')
      and not exists (select from decay_notice d
        where d.org_id = e.org_id and d.environment_id = e.environment_id and d.due_at = e.due_at)
    order by e.due_at, e.environment_id;
  perform set_config('attestry.due', '', true);
end
$$;

grant execute on function decaying_environments to attestry_app;
