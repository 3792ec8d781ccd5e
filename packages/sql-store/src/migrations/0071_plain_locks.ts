/**
 * Locks read the locked rows and what belongs to them, and nothing else: `lock_trails` reads no repository, and
 * `lock_environment` no records of arriving fingerprints.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { lockTrails } from "./0020_locked_trail.js"
import { stateOf } from "./0031_lock_environment.js"
import { lockEnvironment } from "./0061_flow_clock.js"
import { KEYED, openFunctions } from "./internal/TenantTable.js"

const NO_MEMBER = ""

/** WHY the concatenation: see `0063_key_lookups`. */
const LOCK_TRAILS = lockTrails("r.flow_id || '' = f.id", NO_MEMBER)

const LOCK_ENVIRONMENT = lockEnvironment(stateOf(NO_MEMBER))

/** Replaces the functions that lock. */
export const plainLocks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const settings = sql.literal(`language plpgsql set search_path = attestry, pg_temp ${KEYED}`)
  yield* sql`create or replace function lock_trails(asked json, waits boolean)
    returns table (document json) ${settings} as $$ ${sql.literal(LOCK_TRAILS)} $$`
  yield* sql`drop function lock_environment(text, text, text, text, int8, jsonb)`
  yield* sql`create function lock_environment(
      org text, wanted text, wanted_id text, known_id text, known_at int8,
      out document json, out now int8, out state json
    ) ${settings} as $$ ${sql.literal(LOCK_ENVIRONMENT)} $$`
  yield* openFunctions(sql, ["lock_environment(text, text, text, text, int8)"])
})
