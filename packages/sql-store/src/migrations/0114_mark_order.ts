/**
 * Evidence locks environments before contents, as judgings do, so that they do not wait for each other in a circle;
 * processes of the release before call the same function. DECISION B-417
 *
 * WHY: a judging holds its environment and waits for the contents that arrive there. Evidence about several contents
 * held them all and waited for the environments in which some of them run: with a content of each kind that was a
 * deadlock, which took a second to be noticed, and three of them in a row failed a request.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { LOCK_FINGERPRINTS } from "./0032_flow_records.js"
import { markRunning } from "./0096_knowledge.js"
import { KEYED } from "./internal/TenantTable.js"

/** How often all locks are let go and taken again. After that what is missing is waited for, whatever is held. */
const ATTEMPTS_MAX = "20"

/** How long an environment is waited for while another is held; a deadlock would be noticed after a second. */
const PATIENCE = "200ms"

/** The state of the error with which a block lets its locks go. */
const LET_GO = "ATR01"

/** The environments that run one of the contents now, in the order in which they are locked. */
const RUNNING = `array(select distinct f.environment_id
        from (select distinct jsonb_array_elements_text(locked) as fingerprint) q
        cross join lateral (select r.environment_id from running_fingerprint r
          where r.org_id = org and r.fingerprint = q.fingerprint offset 0) f
        order by f.environment_id)`

/**
 * WHY a block: what it has locked is free again when it fails, and nothing else is. WHY without environments at first:
 * most evidence is about contents that run nowhere, and then nothing was looked up twice. Later an environment can have
 * begun to run a content while the content was waited for: it is not locked yet, and may be held by a judging that
 * waits for another of them. WHY patience: heartbeats of the release before lock environments in any order, and
 * judgings that wait behind them would be ended for a deadlock that is not theirs.
 */
const MARK = `
      running := '{}';
      for attempt in 1..${ATTEMPTS_MAX} loop
        begin
          is_patient := true;
          foreach marked in array running loop
            perform from environment e
              where e.org_id = org and e.environment_id = marked for no key update;
            if is_patient and attempt < ${ATTEMPTS_MAX} and array_length(running, 1) > 1 then
              is_patient := false;
              perform set_config('lock_timeout', '${PATIENCE}', true);
            end if;
          end loop;
          if not is_patient then
            perform set_config('lock_timeout', patience, true);
            is_patient := true;
          end if;
          ${LOCK_FINGERPRINTS}
          held := running;
          running := ${RUNNING};
          exit when running <@ held or attempt = ${ATTEMPTS_MAX};
          raise sqlstate '${LET_GO}';
        exception
          when sqlstate '${LET_GO}' or deadlock_detected then
            if attempt = ${ATTEMPTS_MAX} then raise; end if;
          when lock_not_available then
            if is_patient then raise; end if;
        end;
      end loop;
      foreach marked in array running loop
        update environment e set body_digest = null, rows_digest = null
          where e.org_id = org and e.environment_id = marked;
      end loop;`

const MARK_RUNNING = markRunning(
  MARK,
  `
    running text[];
    held text[];
    is_patient boolean;
    patience text := current_setting('lock_timeout');`
)

/** Replaces the function. */
export const markOrder = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const keyed = sql.literal(`language plpgsql set search_path = attestry, pg_temp ${KEYED}`)
  yield* sql`create or replace function mark_running(org text, locked jsonb) returns void
    ${keyed} as $$ ${sql.literal(MARK_RUNNING)} $$`
})
