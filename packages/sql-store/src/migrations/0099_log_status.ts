/**
 * What is kept beside logs: the newest time of a checkpoint's entries, how far logs were verified in the background,
 * which logs are public, and the thinning of old checkpoints. DECISION B-377, B-378
 *
 * WHY functions: a log is found to be public before its reader belongs to an org, and the application may not remove
 * checkpoints by itself.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { openFunctions, protect, withoutStatistics } from "./internal/TenantTable.js"

const tables = (sql: SqlClient.SqlClient) =>
  Effect.all([
    sql`alter table log_checkpoint add column max_at int8`,
    sql`create table log_scrub (
      org_id text collate "C" primary key references org,
      through int8,
      finished_at int8 not null,
      findings int4 not null
    )`,
    sql`create table public_log (org_id text collate "C" primary key references org)`
  ])

const publicity = (sql: SqlClient.SqlClient) =>
  Effect.all([
    sql`create function public_log_list() returns table (org_id text)
      language sql stable security definer set search_path = attestry, pg_temp
      as $$ select p.org_id from public_log p order by p.org_id $$`,
    sql`create function public_log_has(of text) returns setof boolean
      language sql stable security definer set search_path = attestry, pg_temp
      as $$ select true from public_log p where p.org_id = of $$`,
    sql`create function public_log_put(is_public boolean) returns void
      language plpgsql volatile security definer set search_path = attestry, pg_temp
      as $$
      begin
        if is_public then
          insert into public_log (org_id) values (current_setting('attestry.org_id', true))
            on conflict do nothing;
        else
          delete from public_log p where p.org_id = current_setting('attestry.org_id', true);
        end if;
      end $$`
  ])

/**
 * Removes checkpoints that a later one of their minute or hour stands for, and what cosigned them. The newest that a
 * witness has cosigned stays: the next proof for that witness begins with its size.
 */
const thinning = (sql: SqlClient.SqlClient) =>
  sql`create function log_thin(whole_after int8, minutes_after int8) returns setof int8
    language plpgsql volatile security definer set search_path = attestry, pg_temp
    as $$
    declare
      org text := current_setting('attestry.org_id', true);
      thinned jsonb;
    begin
      select coalesce(jsonb_agg(jsonb_build_object('epoch', d.epoch, 'size', d.size)), '[]') into thinned
        from (select c.epoch, c.size, row_number() over (
              partition by c.epoch, c.signed_at >= minutes_after, c.signed_at /
                case when c.signed_at >= minutes_after then 60000000 else 3600000000 end
              order by c.size desc) as place
            from log_checkpoint c where c.org_id = org and c.signed_at < whole_after) d
        where d.place > 1 and not exists (select from (select w.key_id, max(w.size) as size
            from log_cosignature w where w.org_id = org and w.epoch = d.epoch group by w.key_id) n
          where n.size = d.size);
      delete from log_cosignature w
        using jsonb_to_recordset(thinned) as t (epoch int4, size int8)
        where w.org_id = org and w.epoch = t.epoch and w.size = t.size;
      return query with gone as (delete from log_checkpoint c
          using jsonb_to_recordset(thinned) as t (epoch int4, size int8)
          where c.org_id = org and c.epoch = t.epoch and c.size = t.size returning c.size)
        select count(*) from gone;
    end $$`

/** Adds a column, tables and functions. */
export const logStatus = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* tables(sql)
  yield* protect(sql, "log_scrub", "select, insert")
  yield* sql`grant update (through, finished_at, findings) on log_scrub to attestry_app`
  yield* publicity(sql)
  yield* thinning(sql)
  yield* openFunctions(sql, [
    "public_log_list()",
    "public_log_has(text)",
    "public_log_put(boolean)",
    "log_thin(int8, int8)"
  ])
  yield* withoutStatistics(sql)
})
