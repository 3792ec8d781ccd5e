/**
 * Locks an environment and reads everything that its next snapshot is decided by, in one round trip.
 *
 * WHY a function of several statements: READ COMMITTED; the statement after the lock sees rows committed while the
 * lock was waited for. The caller has named the org. A caller that has the rows of the snapshot of an instant passes
 * the instant, and gets no rows when that is the latest snapshot. DECISION B-58
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { OPEN } from "./0030_snapshot_append.js"
import { KEYED, openFunctions } from "./internal/TenantTable.js"

/**
 * WHY the head first: with its bucket at hand the rows are found by their key, in any history.
 *
 * A caller that has the rows and passes arriving fingerprints gets their records, after waiting for writers of
 * evidence about them. WHY only then: without the rows more fingerprints may arrive, and a transaction locks all of
 * its fingerprints at once, in order. DECISION B-116
 */
const RECORDS_MEMBER = `
      'records', case when is_known and arriving is not null then (select
        coalesce(json_agg(known), '[]') from flow_records(org, arriving, arriving) known) end,`

/** Reads the state of the environment `e`; migration 0071 leaves the records out. */
export const stateOf = (recordsMember = RECORDS_MEMBER): string => `
  select * into head from snapshot s
    where s.org_id = org and s.environment_id = e.environment_id order by s.index desc limit 1;
  is_known := e.environment_id is not distinct from known_id
    and head.timestamp is not distinct from known_at;
  state := json_build_object(
      'head', case when head.index is not null then json_build_object('index', head.index,
        'timestamp', head.timestamp, 'verdict', head.verdict, 'count_true', head.count_true,
        'count_false', head.count_false, 'count_null', head.count_null, 'bucket', head.bucket,
        'members', head.members, 'policies', (select p.policies from snapshot_policies p
          where p.org_id = org and p.digest = head.policies_digest)) end,${recordsMember}
      'rows', case when not is_known then (select coalesce(json_agg(json_build_object('name', r.name,
            'fingerprint', r.fingerprint, 'verdict', r.verdict, 'started_index', r.started_index,
            'flows', f.flows, 'decisions', d.decisions, 'doc', r.doc)), '[]')
        from snapshot_row r
        left join snapshot_flows f on f.org_id = r.org_id and f.digest = r.flows_digest
        left join snapshot_decisions d on d.org_id = r.org_id and d.digest = r.decisions_digest
        where r.org_id = org and r.environment_id = e.environment_id and r.bucket = head.bucket
          and r.last_index = ${OPEN}) end,
      'allowed', (select coalesce(json_agg(row_to_json(a) order by a.created_at, a.fingerprint), '[]')
        from allow_list a where a.org_id = org and a.environment_id = e.environment_id),
      'is_member', exists (select from environment g where g.org_id = org and g.type = 'logical'
        and g.archived_at is null and g.included @> jsonb_build_array(e.environment_id)),
      'is_watched', exists (select from environment_notification n where n.org_id = org));`

const STATE = stateOf()

/** Locking environments. */
export const lockEnvironment = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create function lock_environment(
      org text, wanted text, wanted_id text, known_id text, known_at int8, arriving jsonb,
      out document json, out now int8, out state json
    )
    language plpgsql set search_path = attestry, pg_temp
      ${sql.literal(KEYED)}
    as $$
    declare
      e environment;
      head snapshot;
      is_known boolean;
    begin
      if wanted_id is null then
        select * into e from environment
          where org_id = org and name = wanted and archived_at is null for update;
        if not found then
          select old.environment_id into wanted_id from environment_former_name old
            where old.org_id = org and old.name = wanted;
        end if;
      end if;
      if e.environment_id is null then
        select * into e from environment
          where org_id = org and environment_id = wanted_id for update;
      end if;
      if e.environment_id is null then return; end if;
      document := row_to_json(e);
      now := (extract(epoch from clock_timestamp()) * 1000000)::int8;
      ${sql.literal(STATE)}
    end
    $$`
  yield* openFunctions(sql, ["lock_environment(text, text, text, text, int8, jsonb)"])
})
