-- Keys that work and count in an org, with the names of their owners: of its accounts, and of its members. A member's key
-- is described in no org, for it counts in all orgs of the person. A condition that is null selects all.
--
-- Runs as the owner, for the org of the transaction alone.
create function api_key_of_org(org text, instant int8, unused_since int8, ends_until int8, is_scoped boolean,
  for_emergency boolean)
returns table(key api_key, owner_name text)
language sql stable security definer
set search_path = attestry, pg_temp
as $$
  select found.key, found.owner_name from (
    select k as key, a.name as owner_name from service_account a
      join api_key k on k.account_org_id = a.org_id and k.service_account_id = a.service_account_id
      where a.org_id = org
    union all
    select k, u.login from membership m
      join app_user u on u.user_id = m.user_id
      join org o on o.org_id = m.org_id
      join api_key k on k.user_id = m.user_id and coalesce(k.scope -> 'orgs' ? o.name, true)
      where m.org_id = org
  ) found
  where org = current_setting('attestry.org_id', true)
    and coalesce(instant < (found.key).revoked_at, true) and coalesce(instant < (found.key).expires_at, true)
    and coalesce(instant < (found.key).grace_period_expires_at, true)
    and (unused_since is null or coalesce((found.key).last_used_at, (found.key).created_at) <= unused_since)
    and (ends_until is null or least((found.key).expires_at, (found.key).grace_period_expires_at) <= ends_until)
    and (is_scoped is null or ((found.key).scope is not null) = is_scoped)
    and (for_emergency is null or (found.key).emergency)
$$;

grant execute on function api_key_of_org to attestry_app;
