-- The members of an org at an instant, by the last change of each membership until then, with the names of now.
--
-- Runs as the owner, for the org of the transaction alone: it names people who have left.
create function org_members_at(org text, instant int8)
returns table(user_id text, login text, role text, suspended boolean)
language sql stable security definer
set search_path = attestry, pg_temp
as $$
  select e.user_id, coalesce(u.login, e.user_id), e.role, e.suspended
    from (select distinct on (m.user_id) m.user_id, m.role, m.suspended from membership_event m
        where m.org_id = org and org = current_setting('attestry.org_id', true) and m.created_at <= instant
        order by m.user_id, m.created_at desc, m.event_id desc) e
      left join app_user u on u.user_id = e.user_id
    where e.role is not null
$$;

grant execute on function org_members_at to attestry_app;
