-- Removes keys of a workload identity that ended before an instant.
--
-- Runs as the owner, for the org of the transaction alone.
create function api_key_forget(org text, account text, before int8)
returns void
language sql security definer
set search_path = attestry, pg_temp
as $$
  delete from api_key k where k.account_org_id = org and k.service_account_id = account
  and org = current_setting('attestry.org_id', true)
  and k.expires_at = k.grace_period_expires_at and k.expires_at < before
$$;

grant execute on function api_key_forget to attestry_app;
