-- Shortens a lease that the caller still holds.
--
-- Runs as the owner: the table is global.
create function background_lease_release(wanted text, held int8, millis int8)
returns void
language sql security definer
set search_path = attestry, pg_temp
as $$
  update background_lease set until = (extract(epoch from clock_timestamp()) * 1000000)::int8 + millis * 1000
    where name = wanted and token = held
$$;

grant execute on function background_lease_release to attestry_app;
