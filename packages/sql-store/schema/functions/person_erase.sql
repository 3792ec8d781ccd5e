-- Erases the names of a person from memberships of the org and from what its SCIM client said, and from the account.
--
-- Runs as the owner. WHY the account stays while the person is a member of another org: that org knows the person by it.
create function person_erase(who text, texts text[], left_name text, left_login text)
returns void
language plpgsql security definer
set search_path = attestry, pg_temp
as $$
declare stays boolean;
begin
  update membership_event set user_name = left_name, user_folded = lower(left_name)
    where org_id = current_setting('attestry.org_id', true) and user_id = who and user_name = any(texts);
  update scim_user set user_name = left_login, user_folded = lower(left_login), display_folded = null,
      emails = '[]', attributes = '{}'
    where org_id = current_setting('attestry.org_id', true) and user_id = who
      and exists (select from unnest(texts) t where strpos(user_name || ' ' || attributes::text, t) > 0);
  perform set_config('attestry.user_id', who, true);
  stays := exists (select from membership where user_id = who and org_id <> current_setting('attestry.org_id', true))
    or not exists (select from membership where user_id = who
      union all select from membership_event where org_id = current_setting('attestry.org_id', true) and user_id = who);
  perform set_config('attestry.user_id', '', true);
  if stays then
    return;
  end if;
  update app_user set
      login = case when login = any(texts) then left_login else login end,
      display_name = case when display_name = any(texts) then left_name else display_name end,
      email = case when email = any(texts) then left_name else email end
    where user_id = who
      and (login = any(texts) or display_name = any(texts) or email = any(texts));
  update denied_attempt set actor_name = left_name
    where actor_id = who and actor_name = any(texts);
end
$$;

grant execute on function person_erase to attestry_app;
