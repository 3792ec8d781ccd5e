-- The next value of `flow_change_counter`, whose row is held until the caller commits.
create function flow_changes_next(org text)
returns int8
language sql
set search_path = attestry, pg_temp
as $$
  insert into flow_change_counter as c (org_id, number) values (org, 1)
    on conflict (org_id) do update set number = c.number + 1
    returning c.number
$$;

grant execute on function flow_changes_next to attestry_app;
