-- Records an attempt to sign in, and removes attempts older than `kept` seconds.
--
-- Runs as the owner: the table is global.
create function sign_in_insert(provider text, result text, person text, named text, kept int8)
returns setof text
language plpgsql security definer
set search_path = attestry, pg_temp
as $$
declare
  instant int8 := (extract(epoch from clock_timestamp()) * 1000000)::int8;
begin
  delete from sign_in s where s.at < instant - kept * 1000000;
  return query insert into sign_in values (provider, result, person, named, instant)
    on conflict do nothing returning provider_id;
end
$$;

grant execute on function sign_in_insert to attestry_app;
