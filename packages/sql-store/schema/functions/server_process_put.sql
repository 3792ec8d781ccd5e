-- Records that a process lives, and forgets those that were not seen for so long.
--
-- Runs as the owner: the table is global.
create function server_process_put(wanted text, its_release text, its_role text, its_forms jsonb, millis int8)
returns void
language sql security definer
set search_path = attestry, pg_temp
as $$
  insert into server_process as p (process_id, release, role, forms, started_at, seen_at)
    select wanted, its_release, its_role, its_forms, n.now, n.now
    from (select (extract(epoch from clock_timestamp()) * 1000000)::int8 as now) n
    on conflict (process_id) do update
      set release = excluded.release, role = excluded.role, forms = excluded.forms, seen_at = excluded.seen_at;
  delete from server_process
    where seen_at <= (extract(epoch from clock_timestamp()) * 1000000)::int8 - millis * 1000 and process_id <> wanted;
$$;

grant execute on function server_process_put to attestry_app;
