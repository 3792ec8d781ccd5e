-- Records that the keys of an issuer could not be fetched.
--
-- Runs as the owner: the table is global.
create function oidc_issuer_fail(wanted text, reason text)
returns void
language sql security definer
set search_path = attestry, pg_temp
as $$
  update oidc_issuer set tried_at = (extract(epoch from clock_timestamp()) * 1000000)::int8, wanted_at = null, error = reason
  where issuer = wanted
$$;

grant execute on function oidc_issuer_fail to attestry_app;
