-- An org by its name.
--
-- Runs as the owner: the table is global.
create function org_by_name(wanted text)
returns setof org
language sql stable security definer
set search_path = attestry, pg_temp
as $$
  select * from org where name = wanted
$$;

grant execute on function org_by_name to attestry_app;
