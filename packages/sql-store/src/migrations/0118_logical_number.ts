/**
 * Snapshots of logical environments have a knowledge number, and each is a judging of all rows of its members.
 * DECISION B-423
 *
 * WHY in the function: processes of the release before call it too, and so number what they append.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { appendWith } from "./internal/MemberEvents.js"

/** INVARIANT: the caller holds the environment's lock, so the number is drawn after it. */
const APPEND = appendWith({
  columns: ", known, semantics",
  values: ", nextval('knowledge_sequence'), coalesce((draft ->> 'semantics')::int4, 1)",
  // Instants of judgings never fall.
  after: `
    insert into judging (org_id, environment_id, known, at, index)
      select s.org_id, s.environment_id, s.known, greatest(s.timestamp, (select j.at from judging j
          where j.org_id = org and j.environment_id = env order by j.known desc limit 1)), s.index
      from snapshot s
      where s.org_id = org and s.environment_id = env and s.index = next_index;`
})

/** Numbers snapshots of logical environments. */
export const logicalNumber = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create or replace function logical_snapshot_append(org text, env text, draft jsonb)
    returns void language plpgsql set search_path = attestry, pg_temp
    as $$ ${sql.literal(APPEND)} $$`
})
