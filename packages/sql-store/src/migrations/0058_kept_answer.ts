/** Requests with an idempotency key and their answers; migration 0070 renames the table. DECISION B-107 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { openFunctions, protect } from "./internal/TenantTable.js"

const CLOCK = "(extract(epoch from clock_timestamp()) * 1000000)::int8"

/** Requests with an idempotency key. */
export const keptAnswer = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table kept_answer (
    org_id text collate "C" not null references org,
    request text collate "C" not null,
    token text collate "C" not null,
    content text collate "C" not null,
    outcome text not null check (outcome in ('Running', 'Answered', 'Withheld')),
    ends_at int8 not null,
    code int4,
    media_type text,
    answer text,
    primary key (org_id, request),
    check ((outcome = 'Answered') = (code is not null and media_type is not null and answer is not null))
  )`
  yield* sql`create index kept_answer_by_end on kept_answer (ends_at)`
  yield* protect(sql, "kept_answer", "select, insert, update, delete")
  // WHY: an org that sends no more requests would keep its last answers forever; other orgs' requests delete them.
  yield* sql`create policy forgetting on kept_answer to current_user using (true)`
  yield* sql`create function kept_answer_forget(most int4) returns void
    language sql security definer set search_path = attestry, pg_temp
    as $$
      delete from kept_answer where (org_id, request) in (
        select org_id, request from kept_answer where ends_at <= ${sql.literal(CLOCK)}
        order by ends_at limit most for update skip locked
      )
    $$`
  yield* openFunctions(sql, ["kept_answer_forget(int4)"])
})
