-- Stores a session of a key or of a person, and removes sessions that have ended or were not claimed.
--
-- Runs as the owner: the table is global.
create function session_insert(
  id text, key text, hash text, seconds int8, person text, provider text, asked_at int8, class text
)
returns setof session
language sql security definer
set search_path = attestry, pg_temp
as $$
  delete from session
    where least(expires_at, claim_until) <= (extract(epoch from clock_timestamp()) * 1000000)::int8;
  insert into session
    select id, key, hash, at, at + seconds * 1000000, person, provider, asked_at, class
    from (select (extract(epoch from clock_timestamp()) * 1000000)::int8 as at) as clock returning *;
$$;

grant execute on function session_insert to attestry_app;
