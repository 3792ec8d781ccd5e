-- Removes a key of a person or of a service account.
--
-- Runs as the owner, for the org of the transaction alone.
create function api_key_remove(person text, org text, account text, wanted text)
returns void
language sql security definer
set search_path = attestry, pg_temp
as $$
  delete from api_key k
    where k.key_id = wanted and (k.user_id = person or (k.account_org_id = org and k.service_account_id = account
      and k.account_org_id = current_setting('attestry.org_id', true)))
$$;

grant execute on function api_key_remove to attestry_app;
