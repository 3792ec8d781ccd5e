/**
 * What was known when: a number that is drawn after the last lock of a transaction, and tables of what verdicts depend
 * on, each with the numbers between which it held. DECISION B-359
 *
 * Flows, allow-lists and attached policies are followed by triggers, so that processes of the release before write them
 * too. Events on trails and snapshots of such a process have no number: their instants decide.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { starts } from "./0030_snapshot_append.js"
import { stateOf } from "./0031_lock_environment.js"
import { LOCK_FINGERPRINTS } from "./0032_flow_records.js"
import { lockEnvironment } from "./0061_flow_clock.js"
import { appendWith } from "./0064_deployment.js"
import { MARK_EACH } from "./0068_no_statistics.js"
import { arrivals } from "./0072_deployment_repo.js"
import * as Exposures from "./internal/Exposures.js"
import * as KnowledgeFill from "./internal/KnowledgeFill.js"
import * as KnowledgeTables from "./internal/KnowledgeTables.js"
import { KEYED, withoutStatistics } from "./internal/TenantTable.js"

/**
 * Names, tags and archiving of flows wait for judgings that read them, and judgings for those.
 *
 * WHY before the environment: a judging that waits here holds nothing that evidence waits for. DECISION B-360
 */
const FLOWS_SHARED = `
    perform pg_advisory_xact_lock_shared(hashtext(org), ${KnowledgeTables.FLOWS_LOCK});`

/**
 * The body of `mark_running`. Strings are fingerprints; objects are events on trails, which processes of the release
 * before do not send. `mark` locks the fingerprints and marks what runs them.
 */
export const markRunning = (mark: string, declared = ""): string => `
  declare
    events jsonb := jsonb_path_query_array(locked, '$[*] ? (@.type() == "object")');
    number int8;
    marked text;${declared}
  begin
    if events <> '[]' then
      locked := jsonb_path_query_array(locked, '$[*] ? (@.type() == "string")');
    end if;
    if locked <> '[]' then
      ${mark}
    end if;
    if events <> '[]' then
      number := nextval('knowledge_sequence');
      insert into trail_knowledge (org_id, trail_id, sequence, known, at, template_id, status)
        select org, e.trail_id, e.sequence, number, e.at, e.template_id, e.status
        from jsonb_to_recordset(events)
          as e (trail_id text, sequence int8, at int8, template_id text, status text)
        on conflict do nothing;
    end if;
  end`

/** WHY no number without `judged_all`: a process of the release before does not say which rows it judged. */
const NUMBER = {
  columns: ", known, semantics",
  values: `, case when draft -> 'judged_all' is not null then nextval('knowledge_sequence') end,
        coalesce((draft ->> 'semantics')::int4, 1)`
}

/** A snapshot for which all rows were judged. Instants of judgings never fall. */
const JUDGED = `
  if (draft ->> 'judged_all')::boolean then
    insert into judging (org_id, environment_id, known, at, index)
      select s.org_id, s.environment_id, s.known, greatest(s.timestamp, (select j.at from judging j
          where j.org_id = org and j.environment_id = env order by j.known desc limit 1)), s.index
      from snapshot s
      where s.org_id = org and s.environment_id = env and s.index = next_index;
  end if;`

/** How `snapshot_append` is made; a later migration that adds to it passes its own statements. */
export const APPEND = appendWith(arrivals, `${starts}\n${Exposures.WRITE}\n${JUDGED}`, NUMBER)

const MARK_RUNNING = markRunning(`${LOCK_FINGERPRINTS}${MARK_EACH}`)

const LOCK_ENVIRONMENT = lockEnvironment(stateOf(""), FLOWS_SHARED)

/** What was known when. */
export const knowledge = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const keyed = sql.literal(`language plpgsql set search_path = attestry, pg_temp ${KEYED}`)
  yield* KnowledgeTables.wait(sql)
  yield* KnowledgeTables.create(sql)
  yield* KnowledgeFill.fill(sql)
  yield* KnowledgeTables.follow(sql)
  yield* sql`create or replace function mark_running(org text, locked jsonb) returns void
    ${keyed} as $$ ${sql.literal(MARK_RUNNING)} $$`
  yield* sql`create or replace function lock_environment(
      org text, wanted text, wanted_id text, known_id text, known_at int8,
      out document json, out now int8, out state json
    ) ${keyed} as $$ ${sql.literal(LOCK_ENVIRONMENT)} $$`
  yield* sql`create or replace function snapshot_append(org text, env text, draft jsonb) returns void
    language plpgsql set search_path = attestry, pg_temp set enable_nestloop = off
    as $$ ${sql.literal(APPEND)} $$`
  yield* withoutStatistics(sql)
})
