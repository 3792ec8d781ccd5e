-- The people whom SCIM clients know by an external id, each in the org that alone has the person, oldest first.
--
-- Runs as the owner: whom an identity describes is asked before a transaction names an org. It names the external id to
-- row-level security while it reads.
create function scim_described(wanted text)
returns table(org_id text, name text, created_at int8, user_id text)
language plpgsql security definer
set search_path = attestry, pg_temp
as $$
begin
  perform set_config('attestry.external_id', wanted, true);
  return query select o.org_id, o.name, o.created_at, s.user_id
    from scim_user s
    join app_user u on u.user_id = s.user_id and u.home_org_id = s.org_id
    join org o on o.org_id = s.org_id
    where s.external_id = wanted and s.active
    order by s.created_at, s.org_id;
  perform set_config('attestry.external_id', '', true);
end
$$;

grant execute on function scim_described to attestry_app;
