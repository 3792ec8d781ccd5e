-- Whether no org exists.
--
-- Runs as the owner: the table is global.
create function org_is_empty()
returns boolean
language sql stable security definer
set search_path = attestry, pg_temp
as $$
  select not exists (select from org)
$$;

grant execute on function org_is_empty to attestry_app;
