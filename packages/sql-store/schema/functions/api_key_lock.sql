-- Locks a key of a person or of a service account.
--
-- Runs as the owner, for the org of the transaction alone.
create function api_key_lock(person text, org text, account text, wanted text)
returns setof api_key
language sql security definer
set search_path = attestry, pg_temp
as $$
  select * from api_key k
    where k.key_id = wanted and (k.user_id = person or (k.account_org_id = org and k.service_account_id = account
      and k.account_org_id = current_setting('attestry.org_id', true))) for update
$$;

grant execute on function api_key_lock to attestry_app;
