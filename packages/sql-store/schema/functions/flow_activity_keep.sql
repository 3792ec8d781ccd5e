-- Keeps the minute of the latest activity of a flow.
--
-- WHY a read first: an update without rows costs several times as much. WHY skip locked: a change of the flow may hold it and
-- wait for this transaction; the flow is then put into `flow_unsettled`.
create function flow_activity_keep()
returns trigger
language plpgsql
set search_path = attestry, pg_temp
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  reached int8 := new.evaluated_at / 60000000;
begin
  if exists (select from flow f where f.org_id = new.org_id and f.flow_id = new.flow_id
    and f.active_minute < reached)
  then
    update flow f set active_minute = reached where f.org_id = new.org_id and f.flow_id = (
      select g.flow_id from flow g
      where g.org_id = new.org_id and g.flow_id = new.flow_id and g.active_minute < reached
      for no key update skip locked);
    if found then
      delete from flow_unsettled u
        where u.org_id = new.org_id and u.flow_id = new.flow_id and u.minute <= reached;
      return null;
    end if;
  elsif tg_op = 'INSERT' or reached >= old.evaluated_at / 60000000 then
    return null;
  end if;
  insert into flow_unsettled (org_id, flow_id, minute) values (new.org_id, new.flow_id, reached);
  return null;
end
$$;

grant execute on function flow_activity_keep to attestry_app;

create trigger flow_active
  after insert on trail_evaluation
  for each row
  when (current_setting('attestry.loading', true) is distinct from 'on')
  execute function flow_activity_keep();

create trigger flow_active_again
  after update of evaluated_at on trail_evaluation
  for each row
  when (current_setting('attestry.loading', true) is distinct from 'on'
    and (old.evaluated_at / 60000000) <> (new.evaluated_at / 60000000))
  execute function flow_activity_keep();
