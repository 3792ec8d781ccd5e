-- The last journal number that was drawn, the transactions that hold numbers, and the run of the server.
--
-- WHY the run: after a crash, a server may draw numbers again that a transaction without a commit had drawn. Statistics are
-- reset by every start after a crash.
create function log_poll()
returns table(last int8, holders jsonb, run text)
language plpgsql security definer
set search_path = attestry, pg_temp
as $$
begin
  select case when s.is_called then s.last_value else s.last_value - 1 end into last
    from journal_sequence s;
  select coalesce(jsonb_agg(l.virtualtransaction), '[]') into holders from pg_catalog.pg_locks l
    where l.locktype = 'relation' and l.mode = 'RowExclusiveLock'
      and l.relation = 'attestry.journal_sequence'::regclass
      and l.database = (select d.oid from pg_catalog.pg_database d
        where d.datname = current_database());
  select concat_ws(' ', pg_catalog.pg_postmaster_start_time(), w.stats_reset) into run
    from pg_catalog.pg_stat_wal w;
  return next;
end
$$;

grant execute on function log_poll to attestry_app;
