-- Keys of service accounts that end within a time and whose last notice is not yet sent.
--
-- Runs as the owner, for the org of the transaction alone.
create function api_key_expiring(org text, within_seconds int8)
returns table(id text, description text, service_account text, creating_user_id text, expires_at int8, notified_days int4)
language sql stable security definer
set search_path = attestry, pg_temp
as $$
  select k.key_id, k.description, a.name, a.creating_user_id, k.expires_at, n.notified_days
    from api_key k
    join service_account a
      on a.org_id = k.account_org_id and a.service_account_id = k.service_account_id
    left join expiry_notice n
      on n.org_id = k.account_org_id and n.notification_type = 'api_key_expiry' and n.subject_id = k.key_id
    where k.account_org_id = org and org = current_setting('attestry.org_id', true)
      and k.service_account_id is not null and k.expires_at is not null
      and k.revoked_at is null and k.grace_period_expires_at is null
      and k.expires_at <= (extract(epoch from clock_timestamp()) * 1000000)::int8 + within_seconds * 1000000
      and (n.notified_days is null or n.notified_days > 0)
    order by 1
$$;

grant execute on function api_key_expiring to attestry_app;
