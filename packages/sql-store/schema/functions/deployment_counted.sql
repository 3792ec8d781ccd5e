-- Adds new deployments to the totals of the org, of their flows and of their repositories. Those of archived environments
-- stay: readers subtract them.
create function deployment_counted()
returns trigger
language plpgsql
set search_path = attestry, pg_temp
as $$
declare
  each record;
begin
  if tg_table_name = 'deployment' then
    for each in select r.org_id, count(*) as more from added r group by r.org_id loop
      perform list_total_add(each.org_id, 'deployment', '', each.more);
    end loop;
  elsif tg_table_name = 'deployment_flow' then
    for each in select r.org_id, r.flow_id, count(*) as more from added r group by r.org_id, r.flow_id order by r.flow_id loop
      perform list_total_add(each.org_id, 'deployment', 'flow ' || each.flow_id, each.more);
    end loop;
  else
    for each in select r.org_id, r.repo_id, count(*) as more from added r group by r.org_id, r.repo_id order by r.repo_id loop
      perform list_total_add(each.org_id, 'deployment', 'repo ' || each.repo_id, each.more);
    end loop;
  end if;
  return null;
end
$$;

grant execute on function deployment_counted to attestry_app;

create trigger deployment_counted
  after insert on deployment
  referencing new table as added
  for each statement
  when (current_setting('attestry.loading', true) is distinct from 'on')
  execute function deployment_counted();

create trigger deployment_flow_counted
  after insert on deployment_flow
  referencing new table as added
  for each statement
  when (current_setting('attestry.loading', true) is distinct from 'on')
  execute function deployment_counted();

create trigger deployment_repo_counted
  after insert on deployment_repo
  referencing new table as added
  for each statement
  when (current_setting('attestry.loading', true) is distinct from 'on')
  execute function deployment_counted();
