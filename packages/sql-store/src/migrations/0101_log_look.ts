/**
 * A look at numbers of the journal also says which run of the server it saw: a server that crashed may give numbers
 * again that a transaction without a commit had drawn. DECISION B-385
 *
 * WHY statistics: every start after a crash begins them anew, also one after which the postmaster is the same.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { openFunctions, withoutStatistics } from "./internal/TenantTable.js"

/** Replaces the function. */
export const logLook = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`drop function log_look()`
  yield* sql`create function log_look() returns table (last int8, holders jsonb, run text)
    language plpgsql volatile security definer set search_path = attestry, pg_temp
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
    end $$`
  yield* openFunctions(sql, ["log_look()"])
  yield* withoutStatistics(sql)
})
