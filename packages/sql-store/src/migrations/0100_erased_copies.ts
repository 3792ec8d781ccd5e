/**
 * Erasure of personal texts from copies: deliveries, and reasons of what was allowed before. DECISION B-379
 *
 * WHY functions: the application may change neither what a delivery says nor what was allowed.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { openFunctions } from "./internal/TenantTable.js"

/** Adds functions. */
export const erasedCopies = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create function delivery_erase(id text, left_notification jsonb) returns void
    language sql volatile security definer set search_path = attestry, pg_temp
    as $$
      update outbox set notification = left_notification
        where org_id = current_setting('attestry.org_id', true) and delivery_id = id
    $$`
  yield* sql`create function allowance_erase(env text, texts text[], left_reason text) returns void
    language sql volatile security definer set search_path = attestry, pg_temp
    as $$
      update allowance set reason = left_reason
        where org_id = current_setting('attestry.org_id', true) and environment_id = env
          and reason = any(texts)
    $$`
  yield* openFunctions(sql, ["delivery_erase(text, jsonb)", "allowance_erase(text, text[], text)"])
})
