-- Records that a flow names the repositories of its trails; those of its artifacts are among them.
create function repo_flow_added()
returns trigger
language plpgsql
set search_path = attestry, pg_temp
as $$
begin
  -- WHY the condition: nearly every trail names what its flow has named before, and then nothing is written.
  insert into repo_flow (org_id, repo_id, flow_id)
    select new.org_id, r.id, new.flow_id from unnest(new.repo_ids) as r (id)
    where not exists (select from repo_flow f
      where f.org_id = new.org_id and f.flow_id = new.flow_id and f.repo_id = r.id)
    order by 2
    on conflict do nothing;
  return null;
end
$$;

grant execute on function repo_flow_added to attestry_app;

create trigger repo_flow_of_new_trail
  after insert on trail
  for each row
  when (current_setting('attestry.loading', true) is distinct from 'on'
    and new.repo_ids <> '{}')
  execute function repo_flow_added();

create trigger repo_flow_of_trail
  after update of repo_ids on trail
  for each row
  when (current_setting('attestry.loading', true) is distinct from 'on'
    and new.repo_ids is distinct from old.repo_ids)
  execute function repo_flow_added();
