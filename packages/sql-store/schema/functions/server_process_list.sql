-- The processes that were seen within so long, the one that started first at the front.
--
-- Runs as the owner: the table is global.
create function server_process_list(millis int8)
returns setof server_process
language sql security definer
set search_path = attestry, pg_temp
as $$
  select * from server_process
  where seen_at > (extract(epoch from clock_timestamp()) * 1000000)::int8 - millis * 1000
  order by started_at, process_id
$$;

grant execute on function server_process_list to attestry_app;
