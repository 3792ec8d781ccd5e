-- The cosigned state of another's log.
--
-- Runs as the owner: the table is global.
create function witness_log_get(named text)
returns table(origin text, size int8, root text, note text)
language sql stable security definer
set search_path = attestry, pg_temp
as $$
  select w.origin, w.size, w.root, w.note from witness_log w
  where w.origin = named and w.note <> ''
$$;

grant execute on function witness_log_get to attestry_app;
