-- Keeps the history of environment settings.
create function environment_version_append()
returns trigger
language plpgsql
set search_path = attestry, pg_temp
as $$
begin
  insert into environment_version (org_id, environment_id, commit_position, at, name, include_scaling,
      require_provenance, included, tags, archived_at, report_every, when_silent)
    values (new.org_id, new.environment_id, nextval('commit_position_sequence'), new.last_modified_at,
      new.name, new.include_scaling, new.require_provenance, new.included, new.tags, new.archived_at,
      new.report_every, new.when_silent);
  return null;
end
$$;

create trigger environment_version_created
  after insert on environment
  for each row
  when (current_setting('attestry.loading', true) is distinct from 'on')
  execute function environment_version_append();

create trigger environment_version_changed
  after update of name, include_scaling, require_provenance, included, tags, archived_at, report_every, when_silent
    on environment
  for each row
  when (current_setting('attestry.loading', true) is distinct from 'on'
    and row(old.name, old.include_scaling, old.require_provenance, old.included, old.tags, old.archived_at,
      old.report_every, old.when_silent)
    is distinct from row(new.name, new.include_scaling, new.require_provenance, new.included, new.tags, new.archived_at,
      new.report_every, new.when_silent))
  execute function environment_version_append();
