-- Asks for the keys of an issuer, at most once in a time; true where they were not tried within it.
--
-- Runs as the owner: the table is global.
create function oidc_issuer_want(wanted text, within_seconds int8)
returns setof boolean
language plpgsql security definer
set search_path = attestry, pg_temp
as $$
begin
  update oidc_issuer i set wanted_at = (extract(epoch from clock_timestamp()) * 1000000)::int8 where i.issuer = wanted
    and coalesce(i.tried_at, 0) <= (extract(epoch from clock_timestamp()) * 1000000)::int8 - within_seconds * 1000000
    and coalesce(i.wanted_at, 0) <= (extract(epoch from clock_timestamp()) * 1000000)::int8 - within_seconds * 1000000;
  return query select true from oidc_issuer i where i.issuer = wanted
    and coalesce(i.tried_at, 0) <= (extract(epoch from clock_timestamp()) * 1000000)::int8 - within_seconds * 1000000
    and exists (select from oidc_issuer_use u where u.issuer = wanted);
end
$$;

grant execute on function oidc_issuer_want to attestry_app;
