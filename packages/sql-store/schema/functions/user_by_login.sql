-- A person by login.
--
-- Runs as the owner: the table is global.
create function user_by_login(wanted text)
returns setof app_user
language sql stable security definer
set search_path = attestry, pg_temp
as $$
  select * from app_user where login = wanted
$$;

grant execute on function user_by_login to attestry_app;
