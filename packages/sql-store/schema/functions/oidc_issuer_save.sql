-- Stores the fetched keys of an issuer.
--
-- Runs as the owner: the table is global.
create function oidc_issuer_save(wanted text, found jsonb)
returns void
language sql security definer
set search_path = attestry, pg_temp
as $$
  update oidc_issuer set keys = found,
      fetched_at = (extract(epoch from clock_timestamp()) * 1000000)::int8,
      tried_at = (extract(epoch from clock_timestamp()) * 1000000)::int8,
      wanted_at = null, error = null
    where issuer = wanted
$$;

grant execute on function oidc_issuer_save to attestry_app;
