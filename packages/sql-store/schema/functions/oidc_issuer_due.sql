-- Issuers whose keys were asked for, or were last fetched some time ago.
--
-- Runs as the owner: the table is global.
create function oidc_issuer_due(after_seconds int8)
returns table(issuer text)
language sql stable security definer
set search_path = attestry, pg_temp
as $$
  select i.issuer from oidc_issuer i
  where (i.wanted_at is not null
      or coalesce(i.tried_at, 0) <= (extract(epoch from clock_timestamp()) * 1000000)::int8 - after_seconds * 1000000)
    and exists (select from oidc_issuer_use u where u.issuer = i.issuer)
  order by 1
$$;

grant execute on function oidc_issuer_due to attestry_app;
