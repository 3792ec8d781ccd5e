-- A key with its owner and the owner's memberships that are not suspended, for authentication.
--
-- Runs as the owner: the org is not known yet. It names the key's user or account to row-level security while it reads.
create function credential_by_id(wanted text)
returns table(key api_key, name text, memberships jsonb, now int8)
language plpgsql security definer
set search_path = attestry, pg_temp
as $$
declare
  held api_key;
  instant int8 := (extract(epoch from clock_timestamp()) * 1000000)::int8;
begin
  select * into held from api_key k where k.key_id = wanted;
  if held.user_id is not null then
    perform set_config('attestry.user_id', held.user_id, true);
    return query select held, coalesce(u.display_name, u.login), coalesce(
        (select jsonb_agg(jsonb_build_object('org_id', m.org_id, 'org', o.name, 'role', m.role,
            'sessions_after', m.sessions_after))
          from membership m join org o on o.org_id = m.org_id
          where m.user_id = held.user_id and m.suspended_at is null),
        '[]'::jsonb), instant
      from app_user u where u.user_id = held.user_id;
    perform set_config('attestry.user_id', '', true);
  elsif held.service_account_id is not null then
    perform set_config('attestry.service_account_id', held.service_account_id, true);
    return query select held, a.name, jsonb_build_array(
        jsonb_build_object('org_id', a.org_id, 'org', o.name, 'role', a.privilege)), instant
      from service_account a join org o on o.org_id = a.org_id
      where a.org_id = held.account_org_id
        and a.service_account_id = held.service_account_id;
    perform set_config('attestry.service_account_id', '', true);
  end if;
end
$$;

grant execute on function credential_by_id to attestry_app;
