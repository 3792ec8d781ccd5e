-- Addresses and roles of the members of an org who are not suspended.
--
-- Runs as the owner, for the org of the transaction alone.
create function org_mailboxes(org text)
returns table(user_id text, role text, email text)
language sql stable security definer
set search_path = attestry, pg_temp
as $$
  select m.user_id, m.role, u.email from membership m
    join app_user u on u.user_id = m.user_id
    where m.org_id = org and org = current_setting('attestry.org_id', true)
      and m.suspended_at is null order by 1
$$;

grant execute on function org_mailboxes to attestry_app;
