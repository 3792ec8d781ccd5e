-- Takes a lease that is free, and returns its token.
--
-- Runs as the owner: the table is global.
create function background_lease_acquire(wanted text, millis int8)
returns setof int8
language sql security definer
set search_path = attestry, pg_temp
as $$
  insert into background_lease as l
    values (wanted, 1, (extract(epoch from clock_timestamp()) * 1000000)::int8 + millis * 1000)
    on conflict (name) do update set token = l.token + 1, until = excluded.until
      where l.until <= (extract(epoch from clock_timestamp()) * 1000000)::int8
    returning token
$$;

grant execute on function background_lease_acquire to attestry_app;
