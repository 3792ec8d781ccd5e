-- Creates a person; returns nothing where the login is taken.
--
-- Runs as the owner: the table is global.
create function user_insert(id text, new_login text, display text, mail text, at int8)
returns setof text
language sql security definer
set search_path = attestry, pg_temp
as $$
  insert into app_user values (id, new_login, display, mail, at, null, null)
  on conflict do nothing returning user_id
$$;

grant execute on function user_insert to attestry_app;
