/**
 * Two orgs with the same contents, of a size: evidence, a large snapshot and a long history. Rows are written as the
 * owner, because a history of thousands of requests would take minutes; they come in two parts, so that statistics
 * can be gathered between them.
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

/** The rows of a part, each with its number `i`. */
const PART = `(select $1::text as org, $2::text as flow, $3::text as wide, $4::text as long, $5::int4 as size,
    $6::int4 as first, $7::int4 as last) p
  cross join lateral generate_series(p.first, p.last) i`

const EVIDENCE = [
  `insert into attestry.flow (org_id, flow_id, name, description, visibility, template, template_id, tags,
      created_at, last_modified_at)
    select p.org, p.flow || '-' || i, 'flow-' || i, '', 'private', '', 't', '{}', 0, 0
    from ${PART} where i % 10 = 0`,
  `insert into attestry.environment (org_id, environment_id, name, type, description, include_scaling, policies,
      require_provenance, tags, created_at, last_modified_at)
    select p.org, p.wide || '-' || i, 'environment-' || i, 'K8S', '', false, '[]', false, '{}', 0, 0
    from ${PART} where i % 10 = 0`,
  `insert into attestry.trail (org_id, trail_id, flow_id, name, details, repo_ids, created_by, created_at,
      last_modified_at)
    select p.org, p.flow || '/' || i, p.flow, 'run-' || i, '${JSON.stringify(NO_DETAILS)}', '{}', 'test', 0, 0
    from ${PART}`,
  `insert into attestry.trail_commit (org_id, sha, ordinal, trail_id, branch)
    select p.org, ${COMMIT}, t.ordinal, t.trail_id, ''
    from ${PART} join attestry.trail t on t.org_id = p.org and t.trail_id = p.flow || '/' || i`,
  `insert into attestry.artifact (org_id, artifact_id, flow_id, trail_id, sequence, slot, fingerprint, git_commit,
      report, repo_id, created_by, created_at)
    select p.org, 'artifact-' || i, p.flow, p.flow || '/' || i, i, 'backend', ${FINGERPRINT}, ${COMMIT},
      json_build_object('fingerprint', ${FINGERPRINT}, 'filename', 'shop', 'build_url', 'b', 'commit_url', 'c',
        'git_commit', ${COMMIT}), p.flow || '/' || case when i % 100 = 0 then 2 else 1 end, 'test', i
    from ${PART}`,
  `insert into attestry.attestation (org_id, attestation_id, flow_id, trail_id, sequence, name, type, is_compliant,
      is_override, slots, digest, body, attachments, created_by, created_at)
    select p.org, 'attestation-' || i, p.flow, p.flow || '/' || i, i, 'unit-tests', 'generic', true, false, '{}', 'd',
      '{"attestation_name":"unit-tests","is_compliant":true}', '[]', 'test', 0
    from ${PART}`,
  `insert into attestry.trail_evaluation (org_id, trail_id, flow_id, template_id, evaluated_at, status,
      trail_status, record_statuses)
    select p.org, p.flow || '/' || i, p.flow, 't', i, 'COMPLIANT', '{"status":"COMPLIANT","is_compliant":true,
      "attestations_statuses":[],"artifacts_statuses":{}}',
      json_build_array(json_build_object('artifact_id', 'artifact-' || i, 'artifact_fingerprint',
        ${FINGERPRINT}, 'template_reference_name', 'backend', 'status', 'COMPLIANT', 'is_compliant', true,
        'attestations_statuses', json_build_array(), 'flow_reasons_for_non_compliance', json_build_array()))
    from ${PART}`,
  `insert into attestry.journal (org_id, kind, subject_type, subject_id, actor_kind, actor_id, actor_name, at,
      content, digest)
    select p.org, 'artifact_reported', 'trail', p.flow || '/' || i, 'user', 'u', 'u', 0, '{}', '\\x00'
    from ${PART}`,
  `insert into attestry.log_leaf (org_id, epoch, leaf_index, sequence, hash, salt)
    select p.org, 1, i, j.sequence, sha256('a'), sha256('b')
    from ${PART} join attestry.journal j on j.org_id = p.org and j.subject_type = 'trail'
      and j.subject_id = p.flow || '/' || i`,
  `insert into attestry.repo (org_id, internal_id, repo_id, name, url, provider, namespace_path, tags,
      latest_activity_at, created_at, last_modified_at)
    select p.org, p.flow || '/' || i, i::text, 'team/repo-' || i, 'https://git' || i % 2 || '.example.org/u', 'github',
      jsonb_build_array('team' || i % 2, 'x'), '{}', 0, 0, 0
    from ${PART}`,
  `insert into attestry.control (org_id, identifier, name, links, tags, version, archived, created_by, created_at)
    select p.org, 'control-' || i, 'control ' || i, '{}', '{}', 1, false, 'test', 0
    from ${PART}`
]

const VIEW = `jsonb_build_array(jsonb_build_object('flow_id', p.flow, 'trail_id', p.flow || '/' || i,
  'trail_name', 'run-' || i, 'slot', 'backend', 'artifact_id', 'artifact-' || i, 'status', 'COMPLIANT',
  'reasons', '[]'::jsonb, 'git_commit', ${COMMIT}, 'commit_url', null, 'git_commit_info', null, 'repo', null,
  'first_reported_at', 0, 'previous', null))`
const DIGEST = `sha256(convert_to(${VIEW}::text, 'UTF8'))`

const ROW = `org_id, environment_id, bucket, row_no, first_index, last_index, started_index, name, fingerprint,
  verdict, flows_digest, doc`
const EVENT = "org_id, environment_id, index, position, bucket, row_no, type, was, now, arrived"
const HEAD = `org_id, environment_id, index, timestamp, verdict, count_true, count_false, count_null, bucket,
  changes, events_total`

const WIDE = [
  `insert into attestry.snapshot_flows (org_id, digest, flows) select p.org, ${DIGEST}, ${VIEW} from ${PART}`,
  `insert into attestry.snapshot (${HEAD})
    select p.org, p.wide, 1, 1, 'Unknown', 0, 0, p.size, 0, p.size, p.size from ${PART} where i = 1`,
  `insert into attestry.snapshot_row (${ROW})
    select p.org, p.wide, 0, i, 1, ${OPEN}, 1, 'name-' || i, ${FINGERPRINT}, 'Unknown', ${DIGEST}, '[[1]]'
    from ${PART}`,
  `insert into attestry.snapshot_event (${EVENT})
    select p.org, p.wide, 1, i, 0, i, 'started-compliant', 0, 1, true from ${PART}`,
  `insert into attestry.running_fingerprint (org_id, fingerprint, environment_id, rows)
    select p.org, ${FINGERPRINT}, p.wide, 1 from ${PART}`
]

const BUCKET = 32

/** The place of an arrival in a snapshot of the long history, whose first one ends nothing. */
const ARRIVAL = "case when i = 1 then 1 else 2 end"

const LONG = [
  `insert into attestry.snapshot (${HEAD})
    select p.org, p.long, i, i, 'Unknown', 0, 0, 1, i / ${BUCKET}, i % ${BUCKET}, 2 * i - 1 from ${PART}`,
  `insert into attestry.snapshot_row (${ROW})
    select p.org, p.long, i / ${BUCKET}, 1000000 + i, i, case when i = p.size then ${OPEN} else i end, i, 'name',
      ${FINGERPRINT}, 'Unknown', ${DIGEST}, '[[1]]'
    from ${PART}`,
  `insert into attestry.snapshot_event (${EVENT})
    select p.org, p.long, i, 1, (i - 1) / ${BUCKET}, 1000000 + i - 1, 'exited', 1, 0, false
      from ${PART} where i > 1
    union all
    select p.org, p.long, i, ${ARRIVAL}, i / ${BUCKET}, 1000000 + i, 'started-compliant', 0, 1, true
      from ${PART}`,
  `insert into attestry.snapshot_start (org_id, environment_id, flow_id, slot, index, name, fingerprint, view)
    select p.org, p.long, p.flow, 'backend', i, 'name', ${FINGERPRINT}, ${VIEW} -> 0
    from ${PART}`
]

const DEPLOYMENTS = [
  `insert into attestry.deployment (org_id, environment_id, index, position, timestamp, fingerprint, total)
    select p.org, p.wide, 1, i, 1, ${FINGERPRINT}, p.size from ${PART}
    union all
    select p.org, p.long, i, ${ARRIVAL}, i, ${FINGERPRINT}, i from ${PART}`,
  `insert into attestry.deployment_repo (org_id, repo_id, environment_id, index, position, timestamp,
      first_reported_at, total)
    select p.org, p.flow || '/1', p.wide, 1, i, 1, 0, p.size from ${PART}
    union all
    select p.org, p.flow || '/1', p.long, i, ${ARRIVAL}, i, 0, i from ${PART}`,
  `insert into attestry.deployment_flow (org_id, flow_id, environment_id, index, position, timestamp, total)
    select p.org, p.flow, p.wide, 1, i, 1, p.size from ${PART}
    union all
    select p.org, p.flow, p.long, i, ${ARRIVAL}, i, i from ${PART}`
]

/** A part of a world: the rows with the numbers from `first` to `last`. */
interface Part {
  readonly first: number
  readonly last: number
}

const fill = (world: World, { first, last }: Part) =>
  Effect.gen(function* () {
    const { query } = yield* PgLayer.TestDatabase
    const { size, org, flow, wide, long } = world
    const values = [org.id, flow.id, wide.environment, long.environment, size, first, last]
    for (const statement of [...EVIDENCE, ...WIDE, ...LONG, ...DEPLOYMENTS])
      yield* query(statement, values)
  })

const empty = (size: number): Effect.Effect<World, unknown, Ports> =>
  Effect.gen(function* () {
    const org = yield* Fixture.org
    const flow = yield* Fixture.flow(org, "build")
    const wide = ref(yield* Fixture.environment(org, "wide"))
    const long = ref(yield* Fixture.environment(org, "long"))
    return { size, org, flow, wide, long }
  })

/** How much of a world is there when statistics are gathered in its midst. */
const EARLY = 1 / 20

/** An org of a size, and another that came after it; `midst` runs when a twentieth of the first is there. */
export const make = <E, R>(size: number, midst: Effect.Effect<unknown, E, R>) =>
  Effect.gen(function* () {
    const { query } = yield* PgLayer.TestDatabase
    yield* query("set enable_nestloop to off")
    const early = yield* empty(size)
    const last = size * EARLY
    yield* fill(early, { first: 1, last })
    yield* midst
    yield* fill(early, { first: last + 1, last: size })
    const late = yield* empty(size)
    yield* fill(late, { first: 1, last: size })
    yield* query("select setval('attestry.snapshot_row_sequence', 3000000)")
    return { early, late }
  })
