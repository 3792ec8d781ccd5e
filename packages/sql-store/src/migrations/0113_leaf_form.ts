/**
 * Only processes that know the present form of leaves add to logs, so that a process of the release before can write
 * beside newer ones: its entries become leaves by them. DECISION B-416
 *
 * WHY: a leaf has every member of its entry in its hash, and a process of before leaves out members that it does not
 * know, such as the key of the actor; what it hashed would never verify. A later migration that adds such a member
 * replaces the policy by one with the next form, and `LogStoreSql` names that one.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { CLOCK } from "./internal/NotificationFunctions.js"
import { protect, withoutStatistics } from "./internal/TenantTable.js"

/** The form of leaves that the migrations up to here make. */
export const LEAF_FORM = "2"

/** The setting in which a transaction says which form it makes. */
export const LEAF_FORM_SETTING = "attestry.leaf_form"

/**
 * Leases of processes that make leaves of an older form, or verify by it. No process gets them: the sweep would find
 * nothing that it may add to, and verifying would call leaves changed that it does not know.
 */
const RETIRED = "wanted = 'log-sweep' or wanted like 'log-scrub %'"

/** WHY a function: row-level security shows one org at a time, also to the owner. */
const FILL = `do $$
  declare
    each text;
    named text := current_setting('attestry.org_id', true);
  begin
    for each in select org_id from org loop
      perform set_config('attestry.org_id', each, true);
      update log_tree set linked_from = size where org_id = each;
      insert into log_late (org_id, epoch, subject_type, subject_id, leaf_index)
        select each, d.epoch, d.subject_type, d.subject_id, d.leaf_index
        from (select l.epoch, l.leaf_index, l.sequence, j.subject_type, j.subject_id,
            max(l.sequence) over (partition by j.subject_type, j.subject_id
              order by l.epoch, l.leaf_index rows between unbounded preceding and 1 preceding) as newest
          from log_leaf l join journal j on j.org_id = each and j.sequence = l.sequence
          where l.org_id = each) d
        where d.newest > d.sequence;
    end loop;
    perform set_config('attestry.org_id', coalesce(named, ''), true);
  end $$`

/** Leaves that have a lower number than one of their subject before them, and from where on they are kept. */
const links = (sql: SqlClient.SqlClient) =>
  Effect.gen(function* () {
    yield* sql`alter table log_tree add column linked_from int8 not null default 0`
    yield* sql`create table log_late (
      org_id text collate "C" not null,
      epoch int4 not null,
      subject_type text collate "C" not null,
      subject_id text collate "C" not null,
      leaf_index int8 not null,
      primary key (org_id, subject_type, subject_id, epoch, leaf_index)
    )`
    yield* protect(sql, "log_late", "select, insert")
    yield* sql`${sql.literal(FILL)}`
  })

/** Closes logs to processes of before, and keeps what links need. */
export const leafForm = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* links(sql)
  // WHY a policy: a lock of a row that it hides finds no row, which to a process of before is a log at work elsewhere.
  yield* sql`create policy leaf_form on log_tree as restrictive for update
    using (current_setting('${sql.literal(LEAF_FORM_SETTING)}', true) = '${sql.literal(LEAF_FORM)}')`
  yield* sql`create or replace function background_lease_acquire(wanted text, millis int8) returns setof int8
    language sql security definer set search_path = attestry, pg_temp
    as $$
      insert into background_lease as l
        select wanted, 1, ${sql.literal(CLOCK)} + millis * 1000 where not (${sql.literal(RETIRED)})
        on conflict (name) do update set token = l.token + 1, until = excluded.until
          where l.until <= ${sql.literal(CLOCK)}
        returning token
    $$`
  yield* withoutStatistics(sql)
})
