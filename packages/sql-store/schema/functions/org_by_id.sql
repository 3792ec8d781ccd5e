-- An org by its id.
--
-- Runs as the owner: the table is global.
create function org_by_id(wanted text)
returns setof org
language sql stable security definer
set search_path = attestry, pg_temp
as $$
  select * from org where org_id = wanted
$$;

grant execute on function org_by_id to attestry_app;
