-- A person by id.
--
-- Runs as the owner: the table is global.
create function user_by_id(wanted text)
returns setof app_user
language sql stable security definer
set search_path = attestry, pg_temp
as $$
  select * from app_user where user_id = wanted
$$;

grant execute on function user_by_id to attestry_app;
