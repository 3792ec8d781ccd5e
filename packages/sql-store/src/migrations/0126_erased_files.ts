/**
 * Erasure of attached files, each as a whole.
 *
 * WHY a function: the application may not remove contents by itself.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { openFunctions } from "./internal/TenantTable.js"

/** Adds a function. */
export const erasedFiles = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create function attachment_erase(file text) returns void
    language sql volatile security definer set search_path = attestry, pg_temp
    as $$
      delete from attachment_chunk
        where org_id = current_setting('attestry.org_id', true) and fingerprint = file;
      delete from attachment
        where org_id = current_setting('attestry.org_id', true) and fingerprint = file;
    $$`
  yield* openFunctions(sql, ["attachment_erase(text)"])
})
