-- People who are or were members of the org, for verification.
--
-- Runs as the owner, for the org of the transaction alone.
create function record_users()
returns table(id text, login text, display_name text, email text, created_at int8, default_org_id text)
language sql stable security definer
set search_path = attestry, pg_temp
as $$
  select u.user_id, u.login, u.display_name, u.email, u.created_at, u.default_org_id
  from app_user u where u.user_id in (
    select e.user_id from membership_event e
      where e.org_id = current_setting('attestry.org_id', true)
    union select m.user_id from membership m
      where m.org_id = current_setting('attestry.org_id', true))
$$;

grant execute on function record_users to attestry_app;
