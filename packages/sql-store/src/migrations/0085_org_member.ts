/**
 * The names of a member of an org.
 *
 * WHY a function: users are in no org's table. It answers for members of the transaction's org alone. DECISION B-172
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { openFunctions } from "./internal/TenantTable.js"

/** Adds the function. */
export const orgMember = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create function org_member(org text, wanted text)
    returns table (login text, display_name text)
    language sql stable security definer set search_path = attestry, pg_temp
    as $$
      select u.login, u.display_name from membership m join app_user u on u.user_id = m.user_id
        where m.org_id = org and org = current_setting('attestry.org_id', true)
          and m.user_id = wanted
    $$`
  yield* openFunctions(sql, ["org_member(text, text)"])
})
