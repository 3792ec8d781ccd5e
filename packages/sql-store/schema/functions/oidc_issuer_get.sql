-- The keys of an issuer that a rule names.
--
-- Runs as the owner: the table is global.
create function oidc_issuer_get(wanted text)
returns table(issuer text, keys jsonb, fetched_at int8)
language sql stable security definer
set search_path = attestry, pg_temp
as $$
  select i.issuer, i.keys, i.fetched_at from oidc_issuer i where i.issuer = wanted
  and exists (select from oidc_issuer_use u where u.issuer = wanted)
$$;

grant execute on function oidc_issuer_get to attestry_app;
