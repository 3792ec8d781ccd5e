-- Changes the default org of a person; returns nothing where it is that one already.
--
-- Runs as the owner: the table is global.
create function user_set_default_org(wanted text, org text)
returns setof text
language sql security definer
set search_path = attestry, pg_temp
as $$
  update app_user set default_org_id = org
  where user_id = wanted and default_org_id is distinct from org returning user_id
$$;

grant execute on function user_set_default_org to attestry_app;
