-- Stores a session for a command line: that of another session, with the same beginning, end and person, which counts
-- once it is claimed. Removes sessions that were not claimed in time.
--
-- Runs as the owner: the table is global.
create function session_offer(id text, source text, hash text, given text, seconds int8)
returns setof session
language sql security definer
set search_path = attestry, pg_temp
as $$
  delete from session where claim_until <= (extract(epoch from clock_timestamp()) * 1000000)::int8;
  insert into session
    select id, key_id, hash, created_at, expires_at, user_id, provider_id, auth_time, acr, source, given,
      at + seconds * 1000000
    from session, (select (extract(epoch from clock_timestamp()) * 1000000)::int8 as at) as clock
    where session_id = source and challenge is null and expires_at > at
    returning *;
$$;

grant execute on function session_offer to attestry_app;
