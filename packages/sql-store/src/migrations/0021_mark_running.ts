/**
 * Makes environments that run a content evaluate their next report, in one round trip.
 *
 * WHY a function: the environments are looked for by a statement that begins after the locks were granted,
 * and so sees what a reader for a snapshot has committed before it let them go.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { LOCK_FINGERPRINTS } from "./0032_flow_records.js"
import { APPLICATION_ROLE, KEYED } from "./internal/TenantTable.js"

/** Makes environments that run a content evaluate their next report. */
export const markRunning = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create function mark_running(org text, locked jsonb) returns void
    language plpgsql set search_path = attestry, pg_temp
      ${sql.literal(KEYED)}
    as $$
    begin
      ${sql.literal(LOCK_FINGERPRINTS)}
      update environment e set body_digest = null, rows_digest = null
        from (select l.environment_id from environment l
          join running_fingerprint f on f.org_id = l.org_id and f.environment_id = l.environment_id
          where l.org_id = org
            and f.fingerprint in (select jsonb_array_elements_text(locked))
          order by l.environment_id for update of l) stale
        where e.org_id = org and e.environment_id = stale.environment_id;
    end
    $$`
  yield* sql`revoke all on function mark_running(text, jsonb) from public`
  yield* sql`grant execute on function mark_running(text, jsonb) to ${sql(APPLICATION_ROLE)}`
})
