/**
 * Flow notifications, in the table of environment notifications: they share numbers and targets.
 *
 * `flows` is null for an environment notification. The lock of a trail says whether its flow has subscribers, so that a
 * report without any reads nothing more.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { lockTrails } from "./0020_locked_trail.js"
import { KEYED, withoutStatistics } from "./internal/TenantTable.js"

const IS_WATCHED = `
    'is_watched', exists (select from environment_notification n
      where n.org_id = current_setting('attestry.org_id', true)
        and n.flows @> to_jsonb(array[t.flow_id])),`

/** WHY the concatenation: see `0063_key_lookups`. */
const LOCK_TRAILS = lockTrails("r.flow_id || '' = f.id", IS_WATCHED)

/** Adds flow notifications. */
export const flowNotification = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table environment_notification add column flows jsonb`
  yield* sql`create or replace function lock_trails(asked json, waits boolean)
    returns table (document json)
    language plpgsql set search_path = attestry, pg_temp ${sql.literal(KEYED)}
    as $$ ${sql.literal(LOCK_TRAILS)} $$`
  yield* withoutStatistics(sql)
})
