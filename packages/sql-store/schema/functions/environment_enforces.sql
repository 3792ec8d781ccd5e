-- Moves a physical environment between the totals of environments that enforce the same policies.
create function environment_enforces()
returns trigger
language plpgsql
set search_path = attestry, pg_temp
as $$
declare
  before text := enforced_policies(old)::text;
  after text := enforced_policies(new)::text;
begin
  if before <> after then
    perform list_total_add(new.org_id, 'enforced', before, -1);
    perform list_total_add(new.org_id, 'enforced', after, 1);
  end if;
  return null;
end
$$;

grant execute on function environment_enforces to attestry_app;

create trigger environment_enforces
  after update of policies, policy_modes on environment
  for each row
  when (current_setting('attestry.loading', true) is distinct from 'on'
    and new.type <> 'logical' and old.archived_at is null and new.archived_at is null
    and (old.policies, old.policy_modes) is distinct from (new.policies, new.policy_modes))
  execute function environment_enforces();
