/**
 * Locks a trail and reads everything that a report into it is decided by, in one round trip.
 *
 * WHY a function: each of its statements sees what was committed before it began, so what is read after the
 * lock was granted is the newest; one statement would read what was there before it waited. Whoever calls
 * it has named the org, and sees nothing else.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { APPLICATION_ROLE, KEYED } from "./TenantTable.js"

/** Locks a trail and reads what is known of it. */
export const lockedTrail = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create function lock_trail(org text, flow_name text, trail_name text, out document json)
    language plpgsql set search_path = attestry, pg_temp
      ${sql.literal(KEYED)}
    as $$
    declare
      f flow;
      t trail;
    begin
      select * into f from flow where org_id = org and name = flow_name;
      if not found then
        select own.* into f from flow own
          join flow_former_name old on old.org_id = own.org_id and old.flow_id = own.flow_id
          where old.org_id = org and old.name = flow_name;
      end if;
      if f.flow_id is null then return; end if;
      select * into t from trail
        where org_id = org and flow_id = f.flow_id and name = trail_name for update;
      if not found then return; end if;
      document := json_build_object(
        'sequence', nextval('journal_sequence'),
        'flow', row_to_json(f),
        'trail', row_to_json(t),
        'artifacts', (select coalesce(json_agg(json_build_object('sequence', a.sequence,
            'id', a.artifact_id, 'slot', a.slot, 'fingerprint', a.fingerprint,
            'commit', a.git_commit) order by a.sequence), '[]')
          from artifact a where a.org_id = org and a.trail_id = t.trail_id),
        'attestations', (select coalesce(json_agg(json_build_object('sequence', a.sequence,
            'id', a.attestation_id, 'name', a.name, 'type', a.type, 'isCompliant', a.is_compliant,
            'isOverride', a.is_override, 'fingerprint', a.fingerprint, 'slots', a.slots,
            'commit', a.git_commit, 'digest', a.digest) order by a.sequence), '[]')
          from attestation a where a.org_id = org and a.trail_id = t.trail_id));
    end
    $$`
  yield* sql`revoke all on function lock_trail(text, text, text) from public`
  yield* sql`grant execute on function lock_trail(text, text, text) to ${sql(APPLICATION_ROLE)}`
})
