-- Says that an org alone has a person, or with null that any org may add the person.
--
-- Runs as the owner: the table is global. WHY only the org of the transaction, or none: no org takes a person from another.
create function user_set_home(wanted text, org text)
returns void
language sql security definer
set search_path = attestry, pg_temp
as $$
  update app_user set home_org_id = org
  where user_id = wanted and (org is null or org = current_setting('attestry.org_id', true))
$$;

grant execute on function user_set_home to attestry_app;
