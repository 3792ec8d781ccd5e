-- A session that has not ended, and that waits for no command line to claim it.
--
-- Runs as the owner: the table is global.
create function session_by_id(wanted text)
returns setof session
language sql stable security definer
set search_path = attestry, pg_temp
as $$
  select * from session
  where session_id = wanted and challenge is null
    and expires_at > (extract(epoch from clock_timestamp()) * 1000000)::int8
$$;

grant execute on function session_by_id to attestry_app;
