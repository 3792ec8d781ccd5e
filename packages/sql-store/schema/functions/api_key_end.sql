-- Revokes a key, or gives it a grace period.
--
-- Runs as the owner, for the org of the transaction alone.
create function api_key_end(wanted text, revoked int8, grace int8)
returns void
language sql security definer
set search_path = attestry, pg_temp
as $$
  update api_key k set revoked_at = revoked, grace_period_expires_at = grace
  where k.key_id = wanted and (k.account_org_id is null or k.account_org_id = current_setting('attestry.org_id', true))
$$;

grant execute on function api_key_end to attestry_app;
