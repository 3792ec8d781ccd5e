-- Candidates of a page of flows by latest activity: the first `wanted` settled flows, all flows of the minute of the last of
-- them, and flows that are not settled. Settled flows of other minutes come after all of these.
create function flows_by_activity(org text, falling boolean, wanted int8)
returns text[]
language plpgsql stable
set search_path = attestry, pg_temp
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set enable_sort = off
as $$
declare
  unsettled text[] := array(select distinct u.flow_id from flow_unsettled u
    where u.org_id = org and (select f.archived_at is null from flow f
      where f.org_id = org and f.flow_id = u.flow_id));
  head text[];
  edge int8;
begin
  if falling then
    head := array(select f.flow_id from flow f
      where f.org_id = org collate "POSIX" and f.archived_at is null
        and f.flow_id <> all (unsettled)
      order by f.active_minute desc, f.name desc limit wanted);
  else
    head := array(select f.flow_id from flow f
      where f.org_id = org collate "POSIX" and f.archived_at is null
        and f.flow_id <> all (unsettled)
      order by f.active_minute asc, f.name asc limit wanted);
  end if;
  edge := (select f.active_minute from flow f
    where f.org_id = org and f.flow_id = head[array_length(head, 1)]);
  return array(select distinct unnest(unsettled || head || array(select f.flow_id from flow f
    where f.org_id = org collate "POSIX" and f.archived_at is null and f.active_minute = edge
      and edge >= 0)));
end
$$;

grant execute on function flows_by_activity to attestry_app;
