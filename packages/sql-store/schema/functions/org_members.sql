-- The names of some members of an org.
--
-- Runs as the owner, for the org of the transaction alone. WHY beside org_member: a call costs more than a row, so that
-- the names of thousands come by one call.
create function org_members(org text, wanted text[])
returns table(user_id text, login text, display_name text)
language sql stable security definer
set search_path = attestry, pg_temp
as $$
  select u.user_id, u.login, u.display_name from membership m join app_user u on u.user_id = m.user_id
    where m.org_id = org and org = current_setting('attestry.org_id', true)
      and m.user_id = any(wanted)
$$;

grant execute on function org_members to attestry_app;
