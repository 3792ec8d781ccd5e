-- Ends a session.
--
-- Runs as the owner: the table is global.
create function session_remove(wanted text)
returns void
language sql security definer
set search_path = attestry, pg_temp
as $$
  delete from session where session_id = wanted
$$;

grant execute on function session_remove to attestry_app;
