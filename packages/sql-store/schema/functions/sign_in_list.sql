-- Attempts to sign in of members of the org, and those without a person at some providers, newest first.
--
-- Runs as the owner, for the org of the transaction alone.
create function sign_in_list(org text, providers text[], skipped int8, most int8)
returns table(provider_id text, outcome text, user_id text, subject text, at int8, login text, total int8)
language sql stable security definer
set search_path = attestry, pg_temp
as $$
  select s.provider_id, s.outcome, s.user_id, s.subject, s.at, u.login, count(*) over ()
  from sign_in s left join app_user u on u.user_id = s.user_id
  where org = current_setting('attestry.org_id', true)
    and case when s.user_id is null then s.provider_id = any(providers)
      else exists (select from membership m where m.org_id = org and m.user_id = s.user_id) end
  order by s.at desc, s.provider_id, s.outcome, s.user_id, s.subject
  limit most offset skipped
$$;

grant execute on function sign_in_list to attestry_app;
