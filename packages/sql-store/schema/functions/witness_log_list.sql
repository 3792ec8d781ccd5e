-- The cosigned states of all logs.
--
-- Runs as the owner: the table is global.
create function witness_log_list()
returns table(origin text, size int8, root text, note text)
language sql stable security definer
set search_path = attestry, pg_temp
as $$
  select w.origin, w.size, w.root, w.note from witness_log w where w.note <> '' order by w.origin
$$;

grant execute on function witness_log_list to attestry_app;
