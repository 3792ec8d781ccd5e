/**
 * Where components ran: exposure by purl over HTTP, for packages that up to a thousand windows contain, among `BENCH_PAIRS`
 * pairs of a component and a set. Latencies are wall-clock, at the 99th of 100, beside a point read.
 *
 * A bill of materials has 600 components. A fifth of the artifacts have a set of their own, and the others share the one of
 * another artifact; each artifact ran once, in one of fifty environments. A component is a package with one version; most
 * are in a few sets, and some packages are in as many sets as give one, a hundred or a thousand windows.
 */
import pg from "pg"
import { startDeployment } from "./lib/deployment.mjs"
import { get, line, median, percentile99, timed } from "./lib/http.mjs"

const PAIRS = Number(process.env.BENCH_PAIRS ?? 10_000_000)
const PER_SET = 600
const PER_ARTIFACTS = 5
const WINDOWS_MAX = 1_000
const SETS = Math.max(WINDOWS_MAX / PER_ARTIFACTS, Math.floor(PAIRS / PER_SET))
const ARTIFACTS = SETS * PER_ARTIFACTS
/** Packages that no question is about: each set has its share of them. */
const COMPONENTS = 200_000
const ENVIRONMENTS = 50
const SAMPLES = Number(process.env.BENCH_SAMPLES ?? 100)
const GOAL_MS = 50
/** Sets and artifacts that are written at a time. */
const AT_ONCE = 1_000

/** The packages that are asked about, and in how many windows they ran. */
const ASKED = [
  { name: "one-window", windows: PER_ARTIFACTS },
  { name: "hundred-windows", windows: 100 },
  { name: "thousand-windows", windows: WINDOWS_MAX }
]

const POINT = "/environments/bench/env-1"

/** The components of set `i`, sorted: a run of its own among all, and the asked packages in the first sets. */
const COMPONENTS_OF = `(select array_agg(c order by c) from (
  select distinct ${ASKED.length + 1} + (i * 7919 + g * 331) % ${COMPONENTS} as c
    from generate_series(1, ${PER_SET - ASKED.length}) g
  union all select a.id from (values ${ASKED.map(
    ({ windows }, at) => `(${at + 1}, ${windows / PER_ARTIFACTS})`
  ).join(", ")}) a (id, sets) where i <= a.sets) k (c))`

/** The statements that write sets and what was made of them, from one number to another. */
const SET_STATEMENTS = [
  `insert into component_set (org_id, set_id, digest, components)
    select o.org_id, i, lpad(to_hex(i), 64, '0'), ${COMPONENTS_OF}
    from org o, generate_series($1::int4, $2::int4) i`,
  `insert into component_use (org_id, component_id, set_id)
    select t.org_id, unnest(t.components), t.set_id from component_set t where t.set_id between $1 and $2`,
  `insert into component_listing (org_id, kind, set_id, fingerprint, attestation_id, sequence)
    select t.org_id, 'sbom', t.set_id, lpad(to_hex(a), 64, '0'), 'attestation-' || a, a
    from component_set t
    cross join lateral generate_series((t.set_id - 1) * ${PER_ARTIFACTS} + 1, t.set_id * ${PER_ARTIFACTS}) a
    where t.set_id between $1 and $2`,
  `insert into exposure (org_id, fingerprint, environment_id, first_index, last_index, from_at, to_at, started_verdict,
      verdict, non_compliant, name)
    select e.org_id, lpad(to_hex(a), 64, '0'), e.environment_id, a, a, a::int8 * 1000000, a::int8 * 1000000 + 5000000,
      'Compliant', 'Compliant', 0, 'app'
    from generate_series(($1::int4 - 1) * ${PER_ARTIFACTS} + 1, $2::int4 * ${PER_ARTIFACTS}) a
    join environment e on e.name = 'env-' || 1 + a % ${ENVIRONMENTS}`
]

const fillOrg = async ({ databaseUrl, put, send }) => {
  for (let at = 1; at <= ENVIRONMENTS; at++)
    await send(put("/environments/bench", { name: `env-${at}`, type: "K8S" }))
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  await database.query("set search_path to attestry, pg_temp")
  const asked = ASKED.map(({ name }, at) => `(${at + 1}, '${name}')`).join(", ")
  await database.query(`insert into component (org_id, component_id, type, name, version, purl)
    select o.org_id, a.id, 'npm', a.name, '1.0.0', 'pkg:npm/' || a.name || '@1.0.0'
    from org o, (values ${asked}) a (id, name)`)
  await database.query(`insert into component (org_id, component_id, type, name, version, purl)
    select o.org_id, i, 'npm', 'package-' || i / 4, i % 4 || '.0.0', 'pkg:npm/package-' || i / 4 || '@' || i % 4 || '.0.0'
    from org o, generate_series(${ASKED.length + 1}, ${ASKED.length + COMPONENTS}) i`)
  for (let first = 1; first <= SETS; first += AT_ONCE) {
    const last = Math.min(SETS, first + AT_ONCE - 1)
    // WHY: looking up for each row what it refers to takes most of the time, and the statements make it so.
    await database.query("begin; set local session_replication_role = replica")
    for (const statement of SET_STATEMENTS) await database.query(statement, [first, last])
    await database.query("commit")
  }
  for (const table of [
    "component",
    "component_set",
    "component_use",
    "component_listing",
    "exposure"
  ])
    await database.query(`vacuum analyze ${table}`)
  const { rows } = await database.query(
    "select (select count(*) from component_use)::int8 as pairs, pg_total_relation_size('component_use') as bytes"
  )
  await database.end()
  return rows[0]
}

/** Runs the benchmark. */
export const run = async () => {
  // WHY no scrub: it would report each row that no request has written as damage.
  const deployment = await startDeployment({ env: { ATTESTRY_SCRUB_RATE: "0" } })
  const { port, headers } = deployment
  const read = (path) => () => get(port, { path, headers })
  const measure = async (name, windows, query) => {
    const path = `/exposure/bench?${new URLSearchParams({ ...query, per_page: "20" })}`
    const { total_count: total } = JSON.parse(await read(path)())
    if (total !== windows) throw new Error(`${name} has ${total} of ${windows} windows`)
    const [points, answers] = [[], []]
    for (let count = 0; count < SAMPLES; count++) {
      points.push(await timed(read(POINT)))
      answers.push(await timed(read(path)))
    }
    const p99 = percentile99(answers)
    line(
      `exposure by ${name}, ${total} windows of ${ARTIFACTS}, p99`,
      `${p99.toFixed(1)} ms, median ${median(answers).toFixed(1)} ms; a point read ${percentile99(points).toFixed(1)} ms, median ${median(points).toFixed(1)} ms`,
      { goal: `${GOAL_MS} ms`, isReached: p99 <= GOAL_MS }
    )
  }
  try {
    const { bytes, pairs } = await fillOrg(deployment)
    process.stdout.write(`${pairs} pairs of component and set, ${Math.round(bytes / 1e6)} MB\n`)
    for (const { name, windows } of ASKED) {
      await measure(`package ${name}`, windows, { purl: `pkg:npm/${name}` })
      await measure(`version of ${name}`, windows, { purl: `pkg:npm/${name}@1.0.0` })
    }
    const [last] = ASKED.slice(-1)
    await measure("range of versions", last.windows, {
      purl: `pkg:npm/${last.name}`,
      versions: ">=1.0.0 <2.0.0"
    })
  } finally {
    await deployment.stop()
  }
}
