-- Records a denied request, and removes records older than `kept` seconds.
--
-- Runs as the owner: the table is global.
create function denied_attempt_insert(
  kind text, id text, name text, key text, asked text, wanted_org text, kept int8, why text
)
returns setof text
language plpgsql security definer
set search_path = attestry, pg_temp
as $$
declare
  instant int8 := (extract(epoch from clock_timestamp()) * 1000000)::int8;
begin
  delete from denied_attempt d where d.at < instant - kept * 1000000;
  return query insert into denied_attempt
    values (id, asked, instant / 60000000, kind, name, key, wanted_org, instant, why)
    on conflict do nothing returning actor_id;
end
$$;

grant execute on function denied_attempt_insert to attestry_app;
