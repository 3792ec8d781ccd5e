-- Adds an environment to the totals, or takes an archived one from them: to that of the org, and if it is physical to that
-- of environments that enforce the same policies.
--
-- WHY for each row: every report updates its environment. A row trigger on a column that is not written costs nothing; a
-- statement trigger with transition tables cannot be limited to columns.
create function environment_counted()
returns trigger
language plpgsql
set search_path = attestry, pg_temp
as $$
declare
  more int8 := case when new.archived_at is null then 1 else -1 end;
begin
  perform list_total_add(new.org_id, 'environment', '', more);
  if new.type <> 'logical' then
    perform list_total_add(new.org_id, 'enforced', enforced_policies(new)::text, more);
  end if;
  return null;
end
$$;

grant execute on function environment_counted to attestry_app;

create trigger environment_counted
  after insert on environment
  for each row
  when (current_setting('attestry.loading', true) is distinct from 'on'
    and new.archived_at is null)
  execute function environment_counted();

create trigger environment_counted_again
  after update of archived_at on environment
  for each row
  when (current_setting('attestry.loading', true) is distinct from 'on'
    and (old.archived_at is null) <> (new.archived_at is null))
  execute function environment_counted();
