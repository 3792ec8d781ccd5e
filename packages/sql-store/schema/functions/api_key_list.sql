-- Keys of a person or of a service account that still work. Keys of a person are listed in orgs of which the person is a
-- member.
--
-- Runs as the owner, for the org of the transaction alone.
create function api_key_list(person text, org text, account text, at int8)
returns setof api_key
language sql stable security definer
set search_path = attestry, pg_temp
as $$
  select * from api_key k
    where (k.user_id = person or (k.account_org_id = org and k.service_account_id = account
        and k.account_org_id = current_setting('attestry.org_id', true)))
      and (k.user_id is null or exists (select from membership m
        where m.org_id = current_setting('attestry.org_id', true) and m.user_id = k.user_id))
      and coalesce(at < k.revoked_at, true) and coalesce(at < k.expires_at, true)
      and coalesce(at < k.grace_period_expires_at, true)
    order by k.created_at, k.key_id
$$;

grant execute on function api_key_list to attestry_app;
