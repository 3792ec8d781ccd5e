-- The orgs with a join rule of a provider, by name.
--
-- Runs as the owner: which orgs a person may join is asked before a transaction names one.
create function sign_in_joining(provider text)
returns table(org_id text, name text, created_at int8, settings jsonb)
language plpgsql security definer
set search_path = attestry, pg_temp
as $$
begin
  perform set_config('attestry.sign_in', 'on', true);
  return query select o.org_id, o.name, o.created_at, s.settings
    from sign_in_setting s join org o on o.org_id = s.org_id
    where s.settings -> 'join' @> jsonb_build_array(jsonb_build_object('provider', provider))
    order by o.name;
  perform set_config('attestry.sign_in', '', true);
end
$$;

grant execute on function sign_in_joining to attestry_app;
