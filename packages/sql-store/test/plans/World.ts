/**
 * Two orgs with the same contents, of a size: evidence, a large snapshot and a long history. Rows are written as the
 * owner, because a history of thousands of requests would take minutes.
 */
import { type EnvironmentRef, ref } from "@attestry/core/Environment"
import type { Flow } from "@attestry/core/Flow"
import type { Ports } from "@attestry/core/Ports"
import { NO_DETAILS } from "@attestry/core/Trail"
import * as Fixture from "@attestry/core/testing/Fixture"
import { Effect } from "effect"
import { OPEN } from "../../src/migrations/0030_snapshot_append.js"
import * as PgLayer from "../shared/PgLayer.js"

/** One org of a world. */
export interface World {
  readonly size: number
  readonly org: Effect.Effect.Success<typeof Fixture.org>
  readonly flow: Flow
  /** An environment whose one snapshot has `size` rows, all of which arrived. */
  readonly wide: EnvironmentRef
  /** An environment with `size` snapshots, in each of which one artifact replaced another. */
  readonly long: EnvironmentRef
}

/** The fingerprint of the artifact with a number. */
export const fingerprintOf = (index: number): string => index.toString(16).padStart(64, "0")
/** The commit of the artifact with a number. */
export const commitOf = (index: number): string => index.toString(16).padStart(40, "0")

const FINGERPRINT = "lpad(to_hex(i), 64, '0')"
const COMMIT = "lpad(to_hex(i), 40, '0')"

const EVIDENCE = [
  `insert into attestry.flow (org_id, flow_id, name, description, visibility, template, template_id, tags,
      created_at, last_modified_at)
    select $1, $2 || '-' || i, 'flow-' || i, '', 'private', '', 't', '{}', 0, 0
    from generate_series(1, $3::int4 / 10) i`,
  `insert into attestry.trail (org_id, trail_id, flow_id, name, details, repo_ids, created_by, created_at,
      last_modified_at)
    select $1, $2 || '/' || i, $2, 'run-' || i, '${JSON.stringify(NO_DETAILS)}', '{}', 'test', 0, 0
    from generate_series(1, $3::int4) i`,
  `insert into attestry.trail_commit (org_id, sha, ordinal, trail_id, branch)
    select t.org_id, lpad(to_hex(split_part(t.trail_id, '/', 2)::int4), 40, '0'), t.ordinal, t.trail_id, ''
    from attestry.trail t where t.org_id = $1 and $2 <> '' and $3::int4 > 0`,
  `insert into attestry.artifact (org_id, artifact_id, flow_id, trail_id, sequence, slot, fingerprint, git_commit,
      report, created_by, created_at)
    select $1, 'artifact-' || i, $2, $2 || '/' || i, i, 'backend', ${FINGERPRINT}, ${COMMIT},
      json_build_object('fingerprint', ${FINGERPRINT}, 'filename', 'shop', 'build_url', 'b', 'commit_url', 'c',
        'git_commit', ${COMMIT}), 'test', 0
    from generate_series(1, $3::int4) i`,
  `insert into attestry.attestation (org_id, attestation_id, flow_id, trail_id, sequence, name, type, is_compliant,
      is_override, slots, digest, body, attachments, created_by, created_at)
    select $1, 'attestation-' || i, $2, $2 || '/' || i, i, 'unit-tests', 'generic', true, false, '{}', 'd',
      '{"attestation_name":"unit-tests","is_compliant":true}', '[]', 'test', 0
    from generate_series(1, $3::int4) i`,
  `insert into attestry.trail_evaluation (org_id, trail_id, flow_id, template_id, evaluated_at, status,
      trail_status, record_statuses)
    select $1, $2 || '/' || i, $2, 't', i, 'COMPLIANT', '{"status":"COMPLIANT","is_compliant":true,
      "attestations_statuses":[],"artifacts_statuses":{}}',
      json_build_array(json_build_object('artifact_id', 'artifact-' || i, 'artifact_fingerprint',
        ${FINGERPRINT}, 'template_reference_name', 'backend', 'status', 'COMPLIANT', 'is_compliant', true,
        'attestations_statuses', json_build_array(), 'flow_reasons_for_non_compliance', json_build_array()))
    from generate_series(1, $3::int4) i`,
  `insert into attestry.journal (org_id, kind, subject_type, subject_id, actor_kind, actor_id, actor_name, at,
      content, digest)
    select $1, 'artifact_reported', 'trail', $2 || '/' || i, 'user', 'u', 'u', 0, '{}', '\\x00'
    from generate_series(1, $3::int4) i`,
  `insert into attestry.repo (org_id, internal_id, repo_id, name, url, provider, tags, latest_activity_at,
      created_at, last_modified_at)
    select $1, $2 || '/' || i, i::text, 'team/repo-' || i, 'u', 'github', '{}', 0, 0, 0
    from generate_series(1, $3::int4) i`,
  `insert into attestry.control (org_id, identifier, name, links, tags, version, archived, created_by, created_at)
    select $1, 'control-' || i || left($2, 0), 'control ' || i, '{}', '{}', 1, false, 'test', 0
    from generate_series(1, $3::int4) i`
]

const VIEW = `jsonb_build_array(jsonb_build_object('flow_id', $3::text, 'trail_id', $3 || '/' || i,
  'trail_name', 'run-' || i, 'slot', 'backend', 'artifact_id', 'artifact-' || i, 'status', 'COMPLIANT',
  'reasons', '[]'::jsonb, 'git_commit', ${COMMIT}, 'commit_url', null, 'git_commit_info', null, 'repo', null,
  'first_reported_at', 0, 'previous', null))`
const DIGEST = `sha256(convert_to(${VIEW}::text, 'UTF8'))`

const ROW = `org_id, environment_id, bucket, row_no, first_index, last_index, started_index, name, fingerprint,
  verdict, flows_digest, doc`
const EVENT = "org_id, environment_id, index, position, bucket, row_no, type, was, now, arrived"
const HEAD = `org_id, environment_id, index, timestamp, verdict, count_true, count_false, count_null, bucket,
  changes, events_total`

const DICTIONARY = `insert into attestry.snapshot_flows (org_id, digest, flows)
  select $1, ${DIGEST}, ${VIEW} from generate_series(1, $4::int4) i where $2 <> ''`

const WIDE = [
  `insert into attestry.snapshot (${HEAD})
    select $1, $2, 1, 1, 'Unknown', 0, 0, $4::int4, 0, $4::int4, $4::int4 where $3 <> ''`,
  `insert into attestry.snapshot_row (${ROW})
    select $1, $2, 0, i, 1, ${OPEN}, 1, 'name-' || i, ${FINGERPRINT}, 'Unknown', ${DIGEST}, '[[1]]'
    from generate_series(1, $4::int4) i`,
  `insert into attestry.snapshot_event (${EVENT})
    select $1, $2, 1, i, 0, i, 'started-compliant', 0, 1, true from generate_series(1, $4::int4) i
    where $3 <> ''`,
  `insert into attestry.running_fingerprint (org_id, fingerprint, environment_id, rows)
    select $1, ${FINGERPRINT}, $2, 1 from generate_series(1, $4::int4) i where $3 <> ''`
]

const BUCKET = 32

const LONG = [
  `insert into attestry.snapshot (${HEAD})
    select $1, $2, i, i, 'Unknown', 0, 0, 1, i / ${BUCKET}, i % ${BUCKET}, 2 * i - 1
    from generate_series(1, $4::int4) i where $3 <> ''`,
  `insert into attestry.snapshot_row (${ROW})
    select $1, $2, i / ${BUCKET}, 1000000 + i, i, case when i = $4::int4 then ${OPEN} else i end, i, 'name',
      ${FINGERPRINT}, 'Unknown', ${DIGEST}, '[[1]]'
    from generate_series(1, $4::int4) i`,
  `insert into attestry.snapshot_event (${EVENT})
    select $1, $2, i, 1, (i - 1) / ${BUCKET}, 1000000 + i - 1, 'exited', 1, 0, false
      from generate_series(2, $4::int4) i where $3 <> ''
    union all
    select $1, $2, i, case when i = 1 then 1 else 2 end, i / ${BUCKET}, 1000000 + i, 'started-compliant', 0, 1, true
      from generate_series(1, $4::int4) i`,
  `insert into attestry.snapshot_start (org_id, environment_id, flow_id, slot, index, name, fingerprint, view)
    select $1, $2, $3, 'backend', i, 'name', ${FINGERPRINT}, ${VIEW} -> 0
    from generate_series(1, $4::int4) i`
]

const DEPLOYMENTS = [
  `insert into attestry.deployment (org_id, environment_id, index, position, timestamp, fingerprint)
    select e.org_id, e.environment_id, e.index, e.position, s.timestamp, r.fingerprint
    from attestry.snapshot_event e
    join attestry.snapshot s using (org_id, environment_id, index)
    join attestry.snapshot_row r on r.org_id = e.org_id and r.environment_id = e.environment_id
      and r.bucket = e.bucket and r.row_no = e.row_no
    where e.org_id = $1 and e.arrived and $2 <> ''`,
  `insert into attestry.deployment_flow (org_id, flow_id, environment_id, index, position, timestamp)
    select d.org_id, $2, d.environment_id, d.index, d.position, d.timestamp
    from attestry.deployment d where d.org_id = $1`
]

const one = (size: number): Effect.Effect<World, unknown, Ports | PgLayer.TestDatabase> =>
  Effect.gen(function* () {
    const { query } = yield* PgLayer.TestDatabase
    yield* query("set enable_nestloop to off")
    const org = yield* Fixture.org
    const flow = yield* Fixture.flow(org, "build")
    for (const statement of EVIDENCE) yield* query(statement, [org.id, flow.id, size])
    const wide = ref(yield* Fixture.environment(org, "wide"))
    const long = ref(yield* Fixture.environment(org, "long"))
    yield* query(DICTIONARY, [org.id, wide.environment, flow.id, size])
    for (const text of WIDE) yield* query(text, [org.id, wide.environment, flow.id, size])
    for (const text of LONG) yield* query(text, [org.id, long.environment, flow.id, size])
    for (const text of DEPLOYMENTS) yield* query(text, [org.id, flow.id])
    yield* query("select setval('attestry.snapshot_row_sequence', 3000000)")
    return { size, org, flow, wide, long }
  })

/** An org of a size beside another of the same size. */
export const make = (size: number) => Effect.zipRight(one(size), one(size))
