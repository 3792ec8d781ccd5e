-- Takes archived flows from the total.
create function flow_counted_again()
returns trigger
language plpgsql
set search_path = attestry, pg_temp
as $$
declare
  each record;
begin
  for each in select k.org_id, k.subject, sum(k.weight)::int8 as more
    from (select r.org_id, c.subject, -1 as weight from before r
        cross join lateral (select '' as subject where r.archived_at is null) as c (subject)
      union all select r.org_id, c.subject, 1 as weight from after r
        cross join lateral (select '' as subject where r.archived_at is null) as c (subject)) k
    group by k.org_id, k.subject having sum(k.weight) <> 0
  loop
    perform list_total_add(each.org_id, tg_table_name, each.subject, each.more);
  end loop;
  return null;
end
$$;

grant execute on function flow_counted_again to attestry_app;

create trigger flow_counted_again
  after update on flow
  referencing old table as before new table as after
  for each statement
  when (current_setting('attestry.loading', true) is distinct from 'on')
  execute function flow_counted_again();
