-- Adds an environment to the total, or takes an archived one from it.
--
-- WHY for each row: every report updates its environment. A row trigger on a column that is not written costs nothing; a
-- statement trigger with transition tables cannot be limited to columns.
create function environment_counted()
returns trigger
language plpgsql
set search_path = attestry, pg_temp
as $$
begin
  perform list_total_add(new.org_id, 'environment', '',
    case when new.archived_at is null then 1 else -1 end);
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
