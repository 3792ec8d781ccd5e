-- The names of a member of an org.
--
-- Runs as the owner, for the org of the transaction alone.
create function org_member(org text, wanted text)
returns table(login text, display_name text)
language sql stable security definer
set search_path = attestry, pg_temp
as $$
  select u.login, u.display_name from membership m join app_user u on u.user_id = m.user_id
    where m.org_id = org and org = current_setting('attestry.org_id', true)
      and m.user_id = wanted
$$;

grant execute on function org_member to attestry_app;
