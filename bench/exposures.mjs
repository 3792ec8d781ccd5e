/**
 * Benchmark 26: where artifacts ran, by each thing that is known about them, among `BENCH_EXPOSURES` exposures, against
 * a point read, and with a thousand of them behind one key. Latencies are wall-clock medians of answers over HTTP,
 * interleaved with the point read.
 *
 * A tenth of what ran has a record, the rest are artifacts of others. One record has a commit, a flow, a repository, an
 * author and a builder of its own; a thousand share theirs.
 */
import pg from "pg"
import { startDeployment } from "./lib/deployment.mjs"
import { get, inTurns, line } from "./lib/http.mjs"

const SIZE = Number(process.env.BENCH_EXPOSURES ?? 10_000_000)
const RECORDS = SIZE / 10
const SHARED = Math.min(1_000, RECORDS / 10)
const SAMPLES = 25
/** An answer about one hit may take so many times as long as a point read, and any answer so long. */
const GOAL = 4
const ANSWER_MS = 100
/** Rows that are written at a time. */
const AT_ONCE = 500_000

const POINT = "/flows/bench/rest"
const FLOWS = ["rest", "single", "shared"]

/** What the record of number `i` is about: the first stands alone, the next ones share everything. */
const groupOf = `case when i = 1 then 'single' when i <= ${SHARED} + 1 then 'shared' else 'rest' end`
const COMMIT = `case when i between 2 and ${SHARED} + 1 then repeat('d', 40)
  else lpad(to_hex(i), 40, '0') end`

/** The statements that write records, from one number to another. */
const RECORD_STATEMENTS = [
  `insert into trail (org_id, trail_id, flow_id, name, details, repo_ids, created_by, created_at, last_modified_at)
    select f.org_id, 'run-' || i, f.flow_id, 'run-' || i, '{}', '{}', 'bench', i, i
    from generate_series($1::int4, $2::int4) i join flow f on f.name = ${groupOf}`,
  `insert into artifact (org_id, artifact_id, flow_id, trail_id, sequence, slot, fingerprint, git_commit, report,
      repo_id, created_by, created_at)
    select f.org_id, 'artifact-' || i, f.flow_id, 'run-' || i, i, 'app', lpad(to_hex(i), 64, '0'), ${COMMIT},
      json_build_object('fingerprint', lpad(to_hex(i), 64, '0'), 'filename', 'shop', 'commit_url', 'c',
        'build_url', 'https://' || case when f.name = 'rest' then 'ci-' || i % 1000 else f.name end || '/1',
        'git_commit', ${COMMIT}, 'git_commit_info', json_build_object('sha1', ${COMMIT},
          'author', case when f.name = 'rest' then 'author-' || i else f.name end)),
      'repo-' || f.name, 'bench', i
    from generate_series($1::int4, $2::int4) i join flow f on f.name = ${groupOf}`,
  `insert into artifact_trait (org_id, kind, digest, fingerprint)
    select a.org_id, t.kind, sha256(convert_to(t.value, 'UTF8')), a.fingerprint
    from artifact a cross join lateral (values ('author', a.report #>> '{git_commit_info,author}'),
      ('builder', substring(a.report ->> 'build_url' from '^[a-z]+://[^/]+'))) as t (kind, value)
    where a.sequence between $1 and $2`
]

const EXPOSURES = `insert into exposure (org_id, fingerprint, environment_id, first_index, last_index, from_at, to_at,
    started_verdict, verdict, non_compliant, name)
  select e.org_id, lpad(to_hex(i), 64, '0'), e.environment_id, i, i, i::int8 * 1000000, i::int8 * 1000000 + 5000000,
    'Compliant', 'Compliant', 0, 'app'
  from generate_series($1::int4, $2::int4) i, environment e where e.name = 'long'`

const fillAll = async (database, statements, count) => {
  for (let first = 1; first <= count; first += AT_ONCE) {
    const last = Math.min(count, first + AT_ONCE - 1)
    // WHY: looking up for each row what it refers to takes most of the time, and the statements make it so.
    await database.query("begin; set local session_replication_role = replica")
    for (const statement of statements) await database.query(statement, [first, last])
    await database.query("commit")
  }
}

const fillOrg = async ({ databaseUrl, put, send }) => {
  for (const name of FLOWS) await send(put("/flows/bench", { name, description: "" }))
  await send(put("/environments/bench", { name: "long", type: "K8S" }))
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  await database.query("set search_path to attestry, pg_temp")
  await fillAll(database, RECORD_STATEMENTS, RECORDS)
  await database.query(`insert into repo (org_id, internal_id, repo_id, name, url, provider, namespace_path, tags,
      latest_activity_at, created_at, last_modified_at)
    select org_id, 'repo-' || name, name, 'team/' || name, 'https://git.example.org/' || name, 'github', '[]', '{}',
      0, 0, 0 from flow`)
  await fillAll(database, [EXPOSURES], SIZE)
  for (const table of ["trail", "artifact", "artifact_trait", "exposure"])
    await database.query(`vacuum analyze ${table}`)
  await database.end()
}

const ONE = "1".padStart(64, "0")

/** The questions: how many exposures each means, and its parameters. */
const questions = {
  fingerprint: [1, { fingerprint: ONE }],
  "the first 62 characters of a fingerprint": [null, { fingerprint: ONE.slice(0, 62) }],
  commit: [1, { commit: "1".padStart(40, "0") }],
  flow: [1, { flow_name: "single" }],
  repository: [1, { repo_name: "team/single" }],
  author: [1, { author: "single" }],
  builder: [1, { builder: "https://single" }],
  "shared commit": [SHARED, { commit: "d".repeat(40) }],
  "shared flow": [SHARED, { flow_name: "shared" }],
  "shared flow in an hour": [
    null,
    { flow_name: "shared", from_timestamp: "10", to_timestamp: "3610" }
  ],
  "shared repository": [SHARED, { repo_name: "team/shared" }],
  "shared author": [SHARED, { author: "shared" }],
  "shared builder": [SHARED, { builder: "https://shared" }]
}

/** Runs the benchmark. */
export const run = async () => {
  // WHY no scrub: it would report each row that no request has written as damage.
  const deployment = await startDeployment({ env: { ATTESTRY_SCRUB_RATE: "0" } })
  const { port, headers } = deployment
  const measure = async (name, [hits, query]) => {
    const path = `/exposure/bench?${new URLSearchParams({ ...query, per_page: "20" })}`
    const read = (each) => () => get(port, { path: each, headers })
    const { total_count: total } = JSON.parse(await read(path)())
    if (hits !== null && total !== hits) throw new Error(`${name} has ${total} of ${hits}`)
    const [point, answer] = await inTurns(SAMPLES, read(POINT), read(path))
    const isReached = answer <= ANSWER_MS && (total !== 1 || answer <= GOAL * point)
    line(
      `26 ${total} of ${SIZE} exposures by ${name}, against a point read`,
      `${answer.toFixed(1)} ms, ${point.toFixed(1)} ms, ${(answer / point).toFixed(1)} times`,
      { goal: total === 1 ? `at most ${GOAL}, ${ANSWER_MS} ms` : `${ANSWER_MS} ms`, isReached }
    )
  }
  try {
    await fillOrg(deployment)
    for (const [name, question] of Object.entries(questions)) await measure(name, question)
  } finally {
    await deployment.stop()
  }
}
