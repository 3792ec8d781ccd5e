-- Adds new trails to the totals.
create function trail_counted()
returns trigger
language plpgsql
set search_path = attestry, pg_temp
as $$
declare
  each record;
begin
  for each in select k.org_id, k.subject, sum(k.weight)::int8 as more
    from (select r.org_id, c.subject, 1 as weight from added r
      cross join lateral (values (''), (r.flow_id)) as c (subject)) k
    group by k.org_id, k.subject having sum(k.weight) <> 0
  loop
    perform list_total_add(each.org_id, tg_table_name, each.subject, each.more);
  end loop;
  return null;
end
$$;

grant execute on function trail_counted to attestry_app;

create trigger trail_counted
  after insert on trail
  referencing new table as added
  for each statement
  when (current_setting('attestry.loading', true) is distinct from 'on')
  execute function trail_counted();
