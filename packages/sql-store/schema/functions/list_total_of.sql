-- A total. WHY stable: it sees the rows that the statement of the page sees.
create function list_total_of(org text, of_list text, of_subjects text[])
returns int8
language plpgsql stable
set search_path = attestry, pg_temp
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
begin
  return (select coalesce(sum(t.rows), 0) from list_total t
    where t.org_id = org and t.list = of_list and t.subject = any (of_subjects));
end
$$;

grant execute on function list_total_of to attestry_app;
