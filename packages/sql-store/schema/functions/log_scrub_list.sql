-- How far the log of every org was verified in the background, and how many leaves it has.
--
-- Runs as the owner: the setting lets the policies `behind` show it all logs. WHY one statement: workers ask once a minute.
create function log_scrub_list()
returns table(org_id text, size int8, through int8, finished_at int8)
language plpgsql security definer
set search_path = attestry, pg_temp
as $$
begin
  perform set_config('attestry.behind', 'on', true);
  return query select o.org_id, coalesce(t.size, 0)::int8, s.through, s.finished_at from org o
    left join (select l.org_id, sum(l.size) as size from log_tree l group by l.org_id) t on t.org_id = o.org_id
    left join log_scrub s on s.org_id = o.org_id;
  perform set_config('attestry.behind', '', true);
end
$$;

grant execute on function log_scrub_list to attestry_app;
