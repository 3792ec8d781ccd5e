-- Keeps the history of flows.
--
-- A change of name, tags or archiving waits for evaluations that read flows. WHY the clock: `last_modified_at` is written later.
create function flow_version_append()
returns trigger
language plpgsql
set search_path = attestry, pg_temp
as $$
begin
  if tg_op = 'UPDATE' then
    if new.name <> old.name or new.tags <> old.tags
      or new.archived_at is distinct from old.archived_at
    then
      perform lock_evaluations(new.org_id, 2000);
    elsif new.template_id = old.template_id then
      return null;
    end if;
  end if;
  insert into flow_version (org_id, flow_id, commit_position, at, name, tags, template_id, archived_at)
    values (new.org_id, new.flow_id, nextval('commit_position_sequence'),
      case tg_op when 'INSERT' then new.created_at else (extract(epoch from clock_timestamp()) * 1000000)::int8 end,
      new.name, new.tags, new.template_id, new.archived_at);
  return null;
end
$$;

create trigger flow_version_append
  after insert or update on flow
  for each row
  when (current_setting('attestry.loading', true) is distinct from 'on')
  execute function flow_version_append();
