-- Creates an org; returns nothing where the name is taken.
--
-- Runs as the owner: the table is global.
create function org_insert(id text, new_name text, at int8)
returns setof text
language sql security definer
set search_path = attestry, pg_temp
as $$
  insert into org values (id, new_name, at) on conflict do nothing returning org_id
$$;

grant execute on function org_insert to attestry_app;
