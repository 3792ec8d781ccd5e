-- Every org.
--
-- Runs as the owner: the table is global.
create function org_list()
returns setof org
language sql stable security definer
set search_path = attestry, pg_temp
as $$
  select * from org order by name
$$;

grant execute on function org_list to attestry_app;
