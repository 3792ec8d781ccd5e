-- The orgs of a person with the person's roles, without suspended memberships.
--
-- Runs as the owner, and names the person for row-level security while it reads.
create function user_orgs(wanted text)
returns table(org_id text, org text, role text)
language plpgsql security definer
set search_path = attestry, pg_temp
as $$
begin
  perform set_config('attestry.user_id', wanted, true);
  return query select m.org_id, o.name, m.role
    from membership m join org o on o.org_id = m.org_id
    where m.user_id = wanted and m.suspended_at is null order by m.created_at, m.org_id;
  perform set_config('attestry.user_id', '', true);
end
$$;

grant execute on function user_orgs to attestry_app;
