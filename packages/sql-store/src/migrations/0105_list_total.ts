/**
 * How many rows the long lists have, so that a page reads its total from a few rows instead of counting the list.
 *
 * A total is the sum of its parts. Triggers add to a part that no other transaction holds, or make a new one: so no
 * writer waits for another, and a reader sees exactly what was committed with the rows of its page. DECISION B-410
 * Attestations are counted up to the horizon of the log, below which none comes any more. DECISION B-411
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import {
  APPLICATION_ROLE,
  KEYED,
  openFunctions,
  protect,
  withoutStatistics
} from "./internal/TenantTable.js"

const TABLES = ["flow", "trail", "control", "repo"] as const

type Table = (typeof TABLES)[number]

/**
 * The totals to which a row `r` of each table counts: a list, and the subject that it is the list of.
 *
 * INVARIANT: no row of these tables is ever deleted, and none changes its org or its flow.
 */
const COUNTED: Record<Table, string> = {
  flow: "select '' as subject where r.archived_at is null",
  trail: "values (''), (r.flow_id)",
  control: "values (case when r.archived then 'archived' else '' end)",
  repo: "values ('')"
}

/** Tables of which a row can come to count elsewhere. */
const MOVING: ReadonlyArray<Table> = ["flow", "control"]

/**
 * Waits until no transaction writes to these tables, and keeps others waiting until the migration ends.
 *
 * WHY again and again: transactions take these tables in several orders, so waiting for one while holding another could
 * be a deadlock.
 */
export const quietOn = (tables: ReadonlyArray<string>): string => `do $$
  begin
    perform set_config('lock_timeout', '200ms', true);
    for attempt in 1..600 loop
      begin
        lock table ${tables.join(", ")} in share row exclusive mode;
        perform set_config('lock_timeout', '0', true);
        return;
      exception when lock_not_available then
        perform pg_sleep(0.05);
      end;
    end loop;
    raise exception 'evidence is never free of transactions: stop the older processes and start again';
  end $$`

const QUIET = quietOn(TABLES)

/** WHY no scans: a plan that is kept from when the table was small would read all of it. */
const LOOKUP = `set search_path = attestry, pg_temp set enable_seqscan = off ${KEYED}`

/** WHY stable: it sees what the statement of the page sees. */
const SUM = `
  begin
    return (select coalesce(sum(t.rows), 0) from list_total t
      where t.org_id = org and t.list = of_list and t.subject = any (of_subjects));
  end`

/** Adds to a part of a total that no other transaction holds. */
const ADD = `
  begin
    update list_total t set rows = t.rows + more
      where t.org_id = org and t.list = of_list and t.subject = of_subject and t.part = (
        select f.part from list_total f
        where f.org_id = org and f.list = of_list and f.subject = of_subject
        order by f.part limit 1 for update skip locked);
    if not found then
      insert into list_total (org_id, list, subject, rows) values (org, of_list, of_subject, more);
    end if;
  end`

/** One attestation in so many, whose writing also counts those before it. */
const FOLDED_EVERY = "256"

/**
 * Counts attestations up to the horizon of the log.
 *
 * WHY `skip locked`: two that count at once would count twice, and none waits. A first row waits for another first row.
 */
const FOLD = `
  declare
    counted int8;
    settled int8 := (select l.horizon from log_tree l where l.org_id = org order by l.epoch desc limit 1);
    each record;
  begin
    if settled is null then return; end if;
    insert into attestation_fold (org_id, upto) select org, 0
      where not exists (select from attestation_fold f where f.org_id = org) on conflict do nothing;
    select f.upto into counted from attestation_fold f where f.org_id = org for update skip locked;
    if counted is null or counted >= settled then return; end if;
    for each in select c.subject, count(*) as more from attestation r
      cross join lateral (values (''), (r.flow_id)) as c (subject)
      where r.org_id = org and r.sequence > counted and r.sequence <= settled group by c.subject
    loop
      perform list_total_add(org, 'attestation', each.subject, each.more);
    end loop;
    update attestation_fold set upto = settled where org_id = org;
  end`

/** What the rows of a transition table, or of a table, count to; `weight` is 1 or -1. */
const rowsOf = (table: Table, rows: string, weight: 1 | -1): string =>
  `select r.org_id, c.subject, ${weight} as weight from ${rows} r
    cross join lateral (${COUNTED[table]}) as c (subject)`

/** The body of a trigger that adds what a statement has changed. */
const changed = (changes: string): string => `
  declare
    each record;
  begin
    for each in select k.org_id, k.subject, sum(k.weight)::int8 as more from (${changes}) k
      group by k.org_id, k.subject having sum(k.weight) <> 0
    loop
      perform list_total_add(each.org_id, tg_table_name, each.subject, each.more);
    end loop;
    return null;
  end`

/** Row-level security shows one org at a time, to the owner too. */
const FILL = `do $$
  declare
    each text;
    named text := current_setting('attestry.org_id', true);
  begin
    for each in select org_id from org loop
      perform set_config('attestry.org_id', each, true);
      ${TABLES.map(
        (table) => `insert into list_total (org_id, list, subject, rows)
          select each, '${table}', k.subject, count(*)
          from (${rowsOf(table, table, 1)} where r.org_id = each) k group by k.subject;`
      ).join("\n")}
      perform fold_attestations(each);
    end loop;
    perform set_config('attestry.org_id', coalesce(named, ''), true);
  end $$`

const tables = (sql: SqlClient.SqlClient) =>
  Effect.gen(function* () {
    // WHY half empty pages: a part is updated in its place, and no index changes.
    yield* sql`create table list_total (
      org_id text collate "C" not null references org,
      list text collate "C" not null,
      subject text collate "C" not null,
      part int8 not null generated always as identity,
      rows int8 not null,
      primary key (org_id, list, subject, part)
    ) with (fillfactor = 50)`
    yield* protect(sql, "list_total", "select, insert")
    yield* sql`grant update (rows) on list_total to ${sql(APPLICATION_ROLE)}`
    yield* sql`create table attestation_fold (
      org_id text collate "C" primary key references org,
      upto int8 not null
    )`
    yield* protect(sql, "attestation_fold", "select, insert")
    yield* sql`grant update (upto) on attestation_fold to ${sql(APPLICATION_ROLE)}`
  })

const trigger = (
  sql: SqlClient.SqlClient,
  { name, event, body }: { readonly name: string; readonly event: string; readonly body: string }
) =>
  Effect.gen(function* () {
    yield* sql`create function ${sql.literal(name)}() returns trigger
      language plpgsql set search_path = attestry, pg_temp
      as $$ ${sql.literal(body)} $$`
    yield* openFunctions(sql, [`${name}()`])
    yield* sql`create trigger ${sql.literal(name)} ${sql.literal(event)}
      for each statement execute function ${sql.literal(name)}()`
  })

/** WHY a condition: a trigger whose condition does not hold costs next to nothing. */
const folds = (sql: SqlClient.SqlClient) =>
  Effect.gen(function* () {
    yield* sql`create function fold_attestations(org text) returns void
      language plpgsql ${sql.literal(LOOKUP)} as $$ ${sql.literal(FOLD)} $$`
    yield* sql`create function attestation_folded() returns trigger
      language plpgsql set search_path = attestry, pg_temp
      as $$ begin perform fold_attestations(new.org_id); return null; end $$`
    yield* openFunctions(sql, ["fold_attestations(text)", "attestation_folded()"])
    yield* sql`create trigger attestation_folded after insert on attestation for each row
      when (new.sequence % ${sql.literal(FOLDED_EVERY)} = 0)
      execute function attestation_folded()`
  })

/** Totals of lists. */
export const listTotal = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`${sql.literal(QUIET)}`
  yield* tables(sql)
  yield* sql`create function list_total_add(org text, of_list text, of_subject text, more int8)
    returns void language plpgsql ${sql.literal(LOOKUP)} as $$ ${sql.literal(ADD)} $$`
  yield* sql`create function list_total_of(org text, of_list text, of_subjects text[])
    returns int8 language plpgsql stable ${sql.literal(LOOKUP)} as $$ ${sql.literal(SUM)} $$`
  yield* openFunctions(sql, [
    "list_total_add(text, text, text, int8)",
    "list_total_of(text, text, text[])"
  ])
  yield* folds(sql)
  yield* sql`${sql.literal(FILL)}`
  for (const name of TABLES) {
    yield* trigger(sql, {
      name: `${name}_counted`,
      event: `after insert on ${name} referencing new table as added`,
      body: changed(rowsOf(name, "added", 1))
    })
    if (MOVING.includes(name))
      yield* trigger(sql, {
        name: `${name}_counted_again`,
        event: `after update on ${name} referencing old table as before new table as after`,
        body: changed(`${rowsOf(name, "before", -1)} union all ${rowsOf(name, "after", 1)}`)
      })
  }
  yield* withoutStatistics(sql)
})
