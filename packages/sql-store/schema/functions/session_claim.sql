-- Gives an offered session to the command line that answers its challenge, with a new secret: once, and in time.
--
-- Runs as the owner: the table is global.
create function session_claim(id text, hash text, answered text, new_hash text)
returns setof session
language sql security definer
set search_path = attestry, pg_temp
as $$
  update session set digest = new_hash, offered_by = null, challenge = null, claim_until = null
  where session_id = id and digest = hash and challenge = answered
    and least(expires_at, claim_until) > (extract(epoch from clock_timestamp()) * 1000000)::int8
  returning *
$$;

grant execute on function session_claim to attestry_app;
