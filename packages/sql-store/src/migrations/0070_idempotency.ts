/** Gives the table of idempotency keys the name of the feature; its rows, policies and grants stay. */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { openFunctions } from "./internal/TenantTable.js"

const CLOCK = "(extract(epoch from clock_timestamp()) * 1000000)::int8"

/** `kept_answer` becomes `idempotency`. */
export const idempotency = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table kept_answer rename to idempotency`
  yield* sql`alter index kept_answer_by_end rename to idempotency_by_end`
  yield* sql`alter table idempotency rename constraint kept_answer_pkey to idempotency_pkey`
  yield* sql`alter table idempotency
    rename constraint kept_answer_org_id_fkey to idempotency_org_id_fkey`
  yield* sql`alter table idempotency
    rename constraint kept_answer_outcome_check to idempotency_outcome_check`
  yield* sql`alter table idempotency rename constraint kept_answer_check to idempotency_check`
  yield* sql`drop function kept_answer_forget(int4)`
  // WHY as the owner: an org that sends no more requests would keep its last answers forever.
  yield* sql`create function idempotency_prune(most int4) returns void
    language sql security definer set search_path = attestry, pg_temp
    as $$
      delete from idempotency where (org_id, request) in (
        select org_id, request from idempotency where ends_at <= ${sql.literal(CLOCK)}
        order by ends_at limit most for update skip locked
      )
    $$`
  yield* openFunctions(sql, ["idempotency_prune(int4)"])
})
