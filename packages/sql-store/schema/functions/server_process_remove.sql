-- Forgets a process that ends.
--
-- Runs as the owner: the table is global.
create function server_process_remove(wanted text)
returns void
language sql security definer
set search_path = attestry, pg_temp
as $$
  delete from server_process where process_id = wanted
$$;

grant execute on function server_process_remove to attestry_app;
