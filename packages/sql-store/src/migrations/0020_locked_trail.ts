/**
 * Locks trails and reads everything that reports into them are decided by, in one round trip.
 *
 * WHY a function: each of its statements sees what was committed before it began, so what is read after the
 * lock was granted is the newest; one statement would read what was there before it waited. Whoever calls
 * it has named the org, and sees nothing else.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { KEYED, openFunctions } from "./TenantTable.js"

/**
 * The org as row-level security says it. WHY: saying it once more in other words makes PostgreSQL expect next to
 * nothing from either, and while it has no statistics it then reads all records of the org to find those of a trail.
 */
const ORG = "current_setting('attestry.org_id', true)"

/** What was reported into the trail `t`. */
const ARTIFACTS = `select coalesce(json_agg(json_build_object('sequence', a.sequence,
    'id', a.artifact_id, 'slot', a.slot, 'fingerprint', a.fingerprint,
    'commit', a.git_commit) order by a.sequence), '[]')
  from artifact a where a.org_id = ${ORG} and a.trail_id = t.trail_id`

const ATTESTATIONS = `select coalesce(json_agg(json_build_object('sequence', a.sequence,
    'id', a.attestation_id, 'name', a.name, 'type', a.type, 'isCompliant', a.is_compliant,
    'isOverride', a.is_override, 'fingerprint', a.fingerprint, 'slots', a.slots,
    'commit', a.git_commit, 'digest', a.digest) order by a.sequence), '[]')
  from attestation a where a.org_id = ${ORG} and a.trail_id = t.trail_id`

/**
 * Locks trails, each given by the names of its flow and its own, and answers a document for each, in order:
 * null for one that is not there, that is named a second time, or that another transaction has locked, unless
 * the call `waits`. With it goes the repository that was named, if it is known. The flow is in the document only
 * where it is not that of the document before.
 */
export const lockedTrail = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create function lock_trails(org text, asked json, waits boolean)
    returns table (document json)
    language plpgsql set search_path = attestry, pg_temp
      ${sql.literal(KEYED)}
    as $$
    declare
      q record;
      f flow;
      t trail;
      flow_name text;
      told text;
      taken text[] := '{}';
    begin
      for q in select value ->> 'flow' as flow, value ->> 'name' as name,
          value #>> '{repo,provider}' as provider, value #>> '{repo,repoId}' as repo
        from json_array_elements(asked)
      loop
        document := null;
        if flow_name is distinct from q.flow then
          flow_name := q.flow;
          select * into f from flow w where w.org_id = org and w.name = q.flow;
          if not found then
            select own.* into f from flow own
              join flow_former_name old on old.org_id = own.org_id and old.flow_id = own.flow_id
              where old.org_id = org and old.name = q.flow;
          end if;
        end if;
        if waits then
          select * into t from trail r
            where r.org_id = org and r.flow_id = f.flow_id and r.name = q.name for update;
        else
          select * into t from trail r
            where r.org_id = org and r.flow_id = f.flow_id and r.name = q.name
            for update skip locked;
        end if;
        if t.trail_id is not null and not t.trail_id = any(taken) then
          taken := taken || t.trail_id;
          document := json_build_object(
            'sequence', nextval('journal_sequence'),
            'flow', case when told is distinct from f.flow_id then row_to_json(f) end,
            'trail', row_to_json(t),
            'repo', case when q.repo is not null then (select row_to_json(known) from repo known
              where known.org_id = org and known.provider = q.provider and known.repo_id = q.repo) end,
            'artifacts', (${sql.literal(ARTIFACTS)}),
            'attestations', (${sql.literal(ATTESTATIONS)}));
          told := f.flow_id;
        end if;
        return next;
      end loop;
    end
    $$`
  yield* openFunctions(sql, ["lock_trails(text, json, boolean)"])
})
