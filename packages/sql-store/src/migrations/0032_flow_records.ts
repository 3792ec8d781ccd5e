/**
 * The records of fingerprints, after waiting for writers of evidence about those that arrive. B-54
 *
 * WHY a function of several statements: READ COMMITTED; the statement after the locks sees rows committed while they
 * were waited for. The caller has named the org.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { KEYED, openFunctions } from "./internal/TenantTable.js"

/** Over so many fingerprints, the whole org is locked instead of each of them. DECISION B-128 */
export const FINGERPRINT_LOCKS_MAX = 256

/**
 * Locks that writers of evidence and readers for a snapshot share: on the fingerprints `locked` of `org`.
 *
 * INVARIANT: the org before its fingerprints, and those in order, so that two transactions that lock the same ones
 * never deadlock.
 */
export const LOCK_FINGERPRINTS = `
      if jsonb_array_length(locked) > ${FINGERPRINT_LOCKS_MAX} then
        perform pg_advisory_xact_lock(hashtext(org), 0);
      elsif locked <> '[]' then
        perform pg_advisory_xact_lock_shared(hashtext(org), 0);
        perform pg_advisory_xact_lock(hashtextextended(org || value, 0))
          from (select value from jsonb_array_elements_text(locked) as value order by value) wanted;
      end if;`

const RECORDS = `
  select a.org_id, a.artifact_id as id, a.flow_id, a.trail_id, a.sequence, a.slot, a.fingerprint,
    a.report, a.repo_id, a.created_by, a.created_at, w.name as flow_name, w.tags,
    standing.document as standing, t.name as trail_name, t.details, g.first as first_sequence,
    o.created_at as first_reported_at
  from (select a.fingerprint, a.flow_id, min(a.sequence) as first, max(a.sequence) as last
    from artifact a
    where a.org_id = org and a.fingerprint in (select jsonb_array_elements_text(asked))
    group by a.fingerprint, a.flow_id) g
  join artifact a on a.org_id = org and a.fingerprint = g.fingerprint
    and a.flow_id = g.flow_id and a.sequence = g.last
  join artifact o on o.org_id = org and o.fingerprint = g.fingerprint
    and o.flow_id = g.flow_id and o.sequence = g.first
  join trail t on t.org_id = org and t.trail_id = a.trail_id
  join flow w on w.org_id = org and w.flow_id = a.flow_id
  join trail_evaluation v on v.org_id = org and v.trail_id = a.trail_id
  join lateral (select s.document from json_array_elements(v.record_statuses) as s (document)
    where s.document ->> 'artifact_id' = a.artifact_id) standing on true`

/** Reading what flows know. */
export const flowRecords = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create function flow_records(org text, locked jsonb, asked jsonb)
    returns setof json
    language plpgsql set search_path = attestry, pg_temp
      ${sql.literal(KEYED)}
    as $$
    begin
      ${sql.literal(LOCK_FINGERPRINTS)}
      return query select row_to_json(known) from (${sql.literal(RECORDS)}) known;
    end
    $$`
  yield* openFunctions(sql, ["flow_records(text, jsonb, jsonb)"])
})
