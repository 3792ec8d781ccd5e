/**
 * The logs of orgs: a tree for each epoch, its leaves, the nodes above full tiles, and signed checkpoints.
 *
 * Nothing here refers to the journal by a foreign key: a check of it would lock rows of the journal. WHY functions: the
 * application may draw from the sequence of the journal and not read it, and `log_behind` reads across orgs.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { openFunctions, protect, withoutStatistics } from "./internal/TenantTable.js"

const tables = (sql: SqlClient.SqlClient) =>
  Effect.all([
    sql`create table log_tree (
      org_id text collate "C" not null references org,
      epoch int4 not null,
      origin text not null,
      entry_key bytea not null check (octet_length(entry_key) = 16),
      size int8 not null default 0,
      edge bytea not null default '',
      horizon int8 not null default 0,
      done int8[] not null default '{}',
      primary key (org_id, epoch)
    )`,
    sql`create table log_leaf (
      org_id text collate "C" not null,
      epoch int4 not null,
      leaf_index int8 not null,
      sequence int8 not null,
      prev int8,
      hash bytea not null check (octet_length(hash) = 32),
      salt bytea check (octet_length(salt) = 32),
      primary key (org_id, epoch, leaf_index),
      unique (org_id, sequence)
    )`,
    sql`create table log_node (
      org_id text collate "C" not null,
      epoch int4 not null,
      level int2 not null check (level >= 1),
      node_index int8 not null,
      hash bytea not null check (octet_length(hash) = 32),
      primary key (org_id, epoch, level, node_index)
    )`,
    sql`create table log_checkpoint (
      org_id text collate "C" not null,
      epoch int4 not null,
      size int8 not null,
      signed_at int8 not null,
      note text not null,
      primary key (org_id, epoch, size)
    )`
  ])

/** The last number that was drawn, and then the transactions that hold numbers; see `SettledNumbers`. */
const look = (sql: SqlClient.SqlClient) =>
  sql`create function log_look() returns table (last int8, holders jsonb)
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
      return next;
    end $$`

/** Orgs whose journal has an entry without a leaf; it names one org after the other for row-level security. */
const behind = (sql: SqlClient.SqlClient) =>
  sql`create function log_behind(most int4) returns table (org_id text)
    language plpgsql volatile security definer set search_path = attestry, pg_temp
    as $$
    declare
      named text := current_setting('attestry.org_id', true);
      found int4 := 0;
      is_behind boolean;
    begin
      for org_id in select o.org_id from org o order by o.org_id loop
        exit when found >= most;
        perform set_config('attestry.org_id', org_id, true);
        select exists (select from journal j
          where j.org_id = log_behind.org_id and j.sequence > coalesce((select t.horizon from log_tree t
              where t.org_id = log_behind.org_id order by t.epoch desc limit 1), 0)
            and not exists (select from log_leaf l
              where l.org_id = log_behind.org_id and l.sequence = j.sequence)) into is_behind;
        if is_behind then
          found := found + 1;
          return next;
        end if;
      end loop;
      perform set_config('attestry.org_id', coalesce(named, ''), true);
    end $$`

/** Adds tables and functions. */
export const log = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* tables(sql)
  yield* protect(sql, "log_tree", "select, insert")
  yield* sql`grant update (size, edge, horizon, done) on log_tree to attestry_app`
  yield* protect(sql, "log_leaf", "select, insert")
  yield* protect(sql, "log_node", "select, insert")
  yield* protect(sql, "log_checkpoint", "select, insert")
  yield* look(sql)
  yield* behind(sql)
  yield* openFunctions(sql, ["log_look()", "log_behind(int4)"])
  yield* withoutStatistics(sql)
})
