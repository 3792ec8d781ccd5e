-- Keys of service accounts, for verification.
--
-- Runs as the owner, for the org of the transaction alone.
create function record_api_keys()
returns table(id text, owner jsonb, description text, digest text, created_at int8, expires_at int8, revoked_at int8,
  grace_period_expires_at int8, last_used_at int8, scope jsonb, emergency boolean)
language sql stable security definer
set search_path = attestry, pg_temp
as $$
  select k.key_id, jsonb_strip_nulls(jsonb_build_object('kind', 'service-account',
      'org_id', k.account_org_id, 'service_account_id', k.service_account_id,
      'user_id', k.user_id)), k.description, k.digest, k.created_at,
    k.expires_at, k.revoked_at, k.grace_period_expires_at, k.last_used_at, k.scope,
    nullif(k.emergency, false)
  from api_key k where k.account_org_id = current_setting('attestry.org_id', true)
$$;

grant execute on function record_api_keys to attestry_app;
