/** The number of active environments of an org is kept like those of other long lists. DECISION B-410 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { quietOn } from "./0105_list_total.js"
import { openFunctions } from "./internal/TenantTable.js"

const QUIET = quietOn(["environment"])

/** Row-level security shows one org at a time, to the owner too. */
const FILL = `do $$
  declare
    each text;
    named text := current_setting('attestry.org_id', true);
  begin
    for each in select org_id from org loop
      perform set_config('attestry.org_id', each, true);
      insert into list_total (org_id, list, subject, rows)
        select each, 'environment', '', count(*) from environment e
        where e.org_id = each and e.archived_at is null having count(*) > 0;
    end loop;
    perform set_config('attestry.org_id', coalesce(named, ''), true);
  end $$`

const COUNT = `
  begin
    perform list_total_add(new.org_id, 'environment', '',
      case when new.archived_at is null then 1 else -1 end);
    return null;
  end`

/**
 * Totals of environments.
 *
 * WHY rows instead of statements: every report updates its environment, and a trigger on columns that are not written
 * costs nothing, but cannot see the rows of a statement.
 */
export const environmentTotal = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`${sql.literal(QUIET)}`
  yield* sql`${sql.literal(FILL)}`
  yield* sql`create function environment_counted() returns trigger
    language plpgsql set search_path = attestry, pg_temp as $$ ${sql.literal(COUNT)} $$`
  yield* openFunctions(sql, ["environment_counted()"])
  yield* sql`create trigger environment_counted after insert on environment for each row
    when (new.archived_at is null) execute function environment_counted()`
  yield* sql`create trigger environment_counted_again after update of archived_at on environment
    for each row when ((old.archived_at is null) <> (new.archived_at is null))
    execute function environment_counted()`
})
