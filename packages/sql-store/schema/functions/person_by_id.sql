-- A person with the memberships that are not suspended, in the order of joining.
--
-- Runs as the owner, and names the person for row-level security while it reads.
create function person_by_id(wanted text)
returns table(user_id text, login text, display_name text, email text, created_at int8, memberships jsonb)
language plpgsql security definer
set search_path = attestry, pg_temp
as $$
begin
  perform set_config('attestry.user_id', wanted, true);
  return query select u.user_id, u.login, u.display_name, u.email, u.created_at, coalesce(
      (select jsonb_agg(jsonb_build_object('org_id', m.org_id, 'org', o.name, 'role', m.role,
          'sessions_after', m.sessions_after) order by m.created_at, m.org_id)
        from membership m join org o on o.org_id = m.org_id
        where m.user_id = wanted and m.suspended_at is null),
      '[]'::jsonb)
    from app_user u where u.user_id = wanted;
  perform set_config('attestry.user_id', '', true);
end
$$;

grant execute on function person_by_id to attestry_app;
