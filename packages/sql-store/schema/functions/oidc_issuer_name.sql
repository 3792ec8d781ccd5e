-- Records which issuers the rules of a service account name, and removes issuers that no rule names.
--
-- Runs as the owner, for the org of the transaction alone.
create function oidc_issuer_name(org text, account text, named text[])
returns void
language sql security definer
set search_path = attestry, pg_temp
as $$
  -- Keys of an issuer that no rule named meanwhile are not trusted again without a fetch.
  delete from oidc_issuer i where not exists
    (select from oidc_issuer_use u where u.issuer = i.issuer);
  delete from oidc_issuer_use u where u.org_id = org and u.service_account_id = account
    and org = current_setting('attestry.org_id', true);
  insert into oidc_issuer_use select distinct n, org, account from unnest(named) n
    where org = current_setting('attestry.org_id', true);
  insert into oidc_issuer select distinct n, '[]'::jsonb from unnest(named) n
    on conflict do nothing;
  delete from oidc_issuer i where not exists
    (select from oidc_issuer_use u where u.issuer = i.issuer);
$$;

grant execute on function oidc_issuer_name to attestry_app;
