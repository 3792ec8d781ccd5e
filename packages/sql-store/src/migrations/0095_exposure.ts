/**
 * Exposures: each time in which a content ran in an environment under one name, with the verdicts of that time. They
 * take the place of `running_fingerprint` and of `fingerprint_run`, which are views of them from here on, so that
 * processes of the release before read and write on. DECISION B-367
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { starts } from "./0030_snapshot_append.js"
import { appendWith } from "./0064_deployment.js"
import { arrivals } from "./0072_deployment_repo.js"
import * as Exposures from "./internal/Exposures.js"
import { withoutStatistics } from "./internal/TenantTable.js"

/** How `snapshot_append` is made; a later migration that adds to it passes its own statements. */
export const APPEND = appendWith(arrivals, `${starts}\n${Exposures.WRITE}`)

/**
 * Waits until no transaction is about to append or to look for what runs.
 *
 * WHY again and again: a report takes the environment first and evidence takes what runs first, so waiting for one
 * while holding the other could be a deadlock. After a short time everything is let go, and tried once more.
 */
const QUIET = `do $$
  begin
    perform set_config('lock_timeout', '200ms', true);
    for attempt in 1..600 loop
      begin
        lock table environment in exclusive mode;
        lock table running_fingerprint, fingerprint_run in access exclusive mode;
        perform set_config('lock_timeout', '0', true);
        return;
      exception when lock_not_available then
        perform pg_sleep(0.05);
      end;
    end loop;
    raise exception 'environments are never free of transactions: stop the older processes and start again';
  end $$`

/** Exposures in the place of the two tables before. */
export const exposure = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`${sql.literal(QUIET)}`
  yield* Exposures.create(sql)
  yield* Exposures.fill(sql)
  yield* sql`drop table running_fingerprint, fingerprint_run`
  yield* sql`drop function fingerprint_run_open(), fingerprint_run_close()`
  yield* Exposures.createViews(sql)
  yield* sql`create or replace function snapshot_append(org text, env text, draft jsonb) returns void
    language plpgsql set search_path = attestry, pg_temp set enable_nestloop = off
    as $$ ${sql.literal(APPEND)} $$`
  yield* withoutStatistics(sql)
})
