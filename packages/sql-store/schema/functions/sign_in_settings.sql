-- The sign-in settings of those of some orgs that have set any.
--
-- Runs as the owner: a session is judged by every org of its person, before a transaction names one.
create function sign_in_settings(orgs text[])
returns setof sign_in_setting
language plpgsql security definer
set search_path = attestry, pg_temp
as $$
begin
  perform set_config('attestry.sign_in', 'on', true);
  return query select * from sign_in_setting s where s.org_id = any(orgs);
  perform set_config('attestry.sign_in', '', true);
end
$$;

grant execute on function sign_in_settings to attestry_app;
