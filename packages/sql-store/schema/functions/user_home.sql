-- The org that alone has a person, since its SCIM client made the person.
--
-- Runs as the owner: the table is global.
create function user_home(wanted text)
returns setof text
language sql stable security definer
set search_path = attestry, pg_temp
as $$
  select home_org_id from app_user where user_id = wanted and home_org_id is not null
$$;

grant execute on function user_home to attestry_app;
