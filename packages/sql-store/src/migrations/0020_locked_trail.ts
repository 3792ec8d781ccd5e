/**
 * Locks trails and reads everything that reports into them are decided by, in one round trip.
 *
 * WHY a function of several statements: READ COMMITTED; the statement after the lock sees rows committed while the
 * lock was waited for. The caller has named the org, and row-level security hides the others.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { KEYED, openFunctions } from "./internal/TenantTable.js"

/**
 * The org as row-level security compares it. WHY: with a second, different condition PostgreSQL expects next to no
 * rows, and without statistics it then reads all records of the org to find those of a trail.
 */
const ORG = "current_setting('attestry.org_id', true)"

/** The reports on the trail `t`. */
const ARTIFACTS = `select coalesce(json_agg(json_build_object('sequence', a.sequence,
    'id', a.artifact_id, 'slot', a.slot, 'fingerprint', a.fingerprint,
    'commit', a.git_commit) order by a.sequence), '[]')
  from artifact a where a.org_id = ${ORG} and a.trail_id = t.trail_id`

const ATTESTATIONS = `select coalesce(json_agg(json_build_object('sequence', a.sequence,
    'id', a.attestation_id, 'name', a.name, 'type', a.type, 'isCompliant', a.is_compliant,
    'isOverride', a.is_override, 'fingerprint', a.fingerprint, 'slots', a.slots,
    'commit', a.git_commit, 'digest', a.digest) order by a.sequence), '[]')
  from attestation a where a.org_id = ${ORG} and a.trail_id = t.trail_id`

/** The flow of an old name or of the present one. */
const FLOW = `select coalesce(
    (select w.flow_id from flow w where w.org_id = ${ORG} and w.name = q.flow),
    (select o.flow_id from flow_former_name o where o.org_id = ${ORG} and o.name = q.flow)) as id`

/**
 * Each trail that is asked for, by the names of its flow and its own. WHY `offset`: pulled up into the search for
 * the trail, `coalesce` could reveal rows that row-level security hides, and so would not use the index: for each
 * trail every flow of the org would be read.
 */
const ASKED = `rows from (json_to_recordset(asked) as (flow text, name text)) with ordinality as q (flow, name, n)
  cross join lateral (${FLOW} offset 0) f`

/** WHY lateral: so the trails are looked up by their key, one after the other, however many the org has. */
const LOCKED = `select array_agg(l.trail_id order by q.n), array_agg(l.flow_id order by q.n)
    into trails, flows
  from ${ASKED} left join lateral`

/** The repository that was named with the trail at place `n`, if it is known. */
const REPO = `select row_to_json(known) from repo known where known.org_id = ${ORG}
  and known.provider = asked -> (h.n::int - 1) #>> '{repo,provider}'
  and known.repo_id = asked -> (h.n::int - 1) #>> '{repo,repoId}'`

/** A member of the answer; migration 0071 leaves it out. */
const REPO_MEMBER = `
    'repo', case when asked -> (h.n::int - 1) -> 'repo' is not null then (${REPO}) end,`

/** The document of the trail `t` at position `n`. */
const documentOf = (repoMember: string) => `select json_build_object(
    'sequence', nextval('journal_sequence'),
    'flow', case when array_position(flows, t.flow_id) = h.n then (select row_to_json(f) from flow f
      where f.org_id = ${ORG} and f.flow_id = t.flow_id) end,
    'trail', row_to_json(t),${repoMember}
    'artifacts', (${ARTIFACTS}),
    'attestations', (${ATTESTATIONS}))
  from trail t where t.org_id = ${ORG} and t.trail_id = h.id`

/** The body of `lock_trails`; `ofFlow` says that the trail `r` is of the flow `f`. */
export const lockTrails = (ofFlow: string, repoMember = REPO_MEMBER): string => {
  const trail = `select r.trail_id, r.flow_id from trail r
    where r.org_id = ${ORG} and ${ofFlow} and r.name = q.name for update`
  return `
    declare
      trails text[];
      flows text[];
    begin
      if waits then ${LOCKED} (${trail}) l on true;
      else ${LOCKED} (${trail} skip locked) l on true;
      end if;
      return query select
          case when h.id is not null and array_position(trails, h.id) = h.n
            then (${documentOf(repoMember)}) end
        from unnest(trails) with ordinality h (id, n) order by h.n;
    end`
}

const BODY = lockTrails("r.flow_id = f.id")

/**
 * Locks trails, each given by the names of its flow and its own, and answers a document for each, in order:
 * null for one that is not there, that is named a second time, or that another transaction has locked, unless
 * the call `waits`. With it goes the repository that was named, if it is known. Each flow is told once, with
 * the first of its trails.
 */
export const lockedTrail = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create function lock_trails(asked json, waits boolean)
    returns table (document json)
    language plpgsql set search_path = attestry, pg_temp
      ${sql.literal(KEYED)}
    as $$ ${sql.literal(BODY)} $$`
  yield* openFunctions(sql, ["lock_trails(json, boolean)"])
})
