-- Orgs with such a key; the worker that sends notices goes through all orgs.
--
-- Runs as the owner: it reads across orgs.
create function api_key_expiring_orgs(within_seconds int8)
returns table(id text, name text)
language sql stable security definer
set search_path = attestry, pg_temp
as $$
  select distinct o.org_id, o.name from api_key k
    join org o on o.org_id = k.account_org_id
    left join expiry_notice n
      on n.org_id = k.account_org_id and n.notification_type = 'api_key_expiry' and n.subject_id = k.key_id
    where k.service_account_id is not null and k.expires_at is not null
      and k.revoked_at is null and k.grace_period_expires_at is null
      and k.expires_at <= (extract(epoch from clock_timestamp()) * 1000000)::int8 + within_seconds * 1000000
      and (n.notified_days is null or n.notified_days > 0)
    order by 1
$$;

grant execute on function api_key_expiring_orgs to attestry_app;
