-- Adds to a part of a total that no other transaction holds, or makes a new part.
create function list_total_add(org text, of_list text, of_subject text, more int8)
returns void
language plpgsql
set search_path = attestry, pg_temp
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
begin
  update list_total t set rows = t.rows + more
    where t.org_id = org and t.list = of_list and t.subject = of_subject and t.part = (
      select f.part from list_total f
      where f.org_id = org and f.list = of_list and f.subject = of_subject
      order by f.part limit 1 for update skip locked);
  if not found then
    insert into list_total (org_id, list, subject, rows) values (org, of_list, of_subject, more);
  end if;
end
$$;

grant execute on function list_total_add to attestry_app;
