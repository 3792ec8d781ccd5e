-- The default org of a person.
--
-- Runs as the owner: the table is global.
create function user_default_org(wanted text)
returns setof text
language sql stable security definer
set search_path = attestry, pg_temp
as $$
  select default_org_id from app_user
  where user_id = wanted and default_org_id is not null
$$;

grant execute on function user_default_org to attestry_app;
