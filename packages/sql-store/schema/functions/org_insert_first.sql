-- Creates the first org; returns nothing where one exists.
--
-- Runs as the owner: the table is global. WHY the lock: two servers may start at once.
create function org_insert_first(id text, new_name text, at int8)
returns setof text
language plpgsql security definer
set search_path = attestry, pg_temp
as $$
begin
  lock table org in share row exclusive mode;
  return query insert into org select id, new_name, at where not exists (select from org)
    returning org_id;
end
$$;

grant execute on function org_insert_first to attestry_app;
