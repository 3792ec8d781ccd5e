/**
 * Entries name the key that their actor used, answers that are stored keep the ids of what was recorded, and journals
 * that are older than their log are marked, so that the log begins with an entry which says so. DECISION B-344
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { protect, withoutStatistics } from "./internal/TenantTable.js"

/** WHY a function: row-level security shows one org at a time, also to the owner. */
const mark = (sql: SqlClient.SqlClient) => sql`do $$
  declare id text;
  begin
    for id in select o.org_id from org o loop
      perform set_config('attestry.org_id', id, true);
      insert into log_backlog (org_id) select id
        where exists (select from journal j where j.org_id = id)
          and not exists (select from log_tree t where t.org_id = id);
    end loop;
    perform set_config('attestry.org_id', '', true);
  end $$`

/** Adds columns and a table. */
export const logEntries = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table journal add column actor_credential text`
  yield* sql`alter table idempotency add column entries text`
  yield* sql`grant update (entries) on idempotency to attestry_app`
  yield* sql`create table log_backlog (
    org_id text collate "C" primary key references org
  )`
  yield* protect(sql, "log_backlog", "select, insert")
  yield* mark(sql)
  yield* withoutStatistics(sql)
})
