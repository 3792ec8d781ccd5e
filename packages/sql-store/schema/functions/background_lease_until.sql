-- Until when a lease is held, if it was ever taken, and the clock of this database.
--
-- Runs as the owner: the table is global.
create function background_lease_until(wanted text)
returns table (until int8, now int8)
language sql security definer
set search_path = attestry, pg_temp
as $$
  select l.until, (extract(epoch from clock_timestamp()) * 1000000)::int8 from background_lease l where l.name = wanted
$$;

grant execute on function background_lease_until to attestry_app;
