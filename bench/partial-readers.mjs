/**
 * Benchmark 29: lists of people who read a part of an org, against the same list of a whole reader, in an org of 200
 * spaces, 6,000 flows, 400 environments, `BENCH_TRAILS` trails and as many exposures; a snapshot of 5,000 rows of which
 * half are of hidden flows; attestations by a key that narrows; and who may do something at a past instant.
 * Wall-clock medians of answers over HTTP, in turns.
 */
import pg from "pg"
import { artifactsOf, reportOf, startDeployment } from "./lib/deployment.mjs"
import { get, inTurns, line, percentile99, timed } from "./lib/http.mjs"

const TRAILS = Number(process.env.BENCH_TRAILS ?? 1_000_000)
const SAMPLES = Number(process.env.BENCH_SAMPLES ?? 41)
const DIVISIONS = 10
const TEAMS = 20
const FLOWS = 6_000
const ENVIRONMENTS = 400
const PEOPLE = 3_000
const ROWS = 5_000
/** Rows that are written at a time. */
const AT_ONCE = 250_000

/** Teams have flows and environments by their number; the last one is quiet. */
const teamOf = (index) => `d${Math.floor(index / TEAMS)}/t${index % TEAMS}`
const QUIET = DIVISIONS * TEAMS - 1

const DETAILS =
  '{"description":null,"git_commit_info":null,"repo_info":null,"external_urls":null,"origin_url":null,"user_data":{}}'

const WORLD = [
  `insert into flow (org_id, flow_id, name, description, visibility, template, template_id, tags, created_at,
      last_modified_at)
    select o.org_id, 'flow-' || i, 'flow-' || i, '', 'private', 'version: 1', 't', '{}', 0, 0
    from org o, generate_series(0, ${FLOWS} - 1) i where o.name = 'bench'`,
  `insert into environment (org_id, environment_id, name, type, description, include_scaling, policies,
      require_provenance, tags, created_at, last_modified_at)
    select o.org_id, 'environment-' || i, 'environment-' || i, 'K8S', '', false, '[]', false, '{}', 0, 0
    from org o, generate_series(0, ${ENVIRONMENTS} - 1) i where o.name = 'bench'`,
  `insert into thing_place (org_id, kind, thing_id, space_id, from_at)
    select o.org_id, t.kind, t.kind || '-' || i, s.space_id, 1
    from org o, generate_series(0, ${FLOWS} - 1) i, (values ('flow'), ('environment')) t (kind), teams s
    where o.name = 'bench' and s.number = i % ${DIVISIONS * TEAMS} and (t.kind = 'flow' or i < ${ENVIRONMENTS})`
]

/** Trail `i` is of a flow of any team; the quiet team has the first hundredth of its share alone. */
const flowNumber = `case when i % ${FLOWS} % ${DIVISIONS * TEAMS} = ${QUIET} and i > ${TRAILS / 100}
  then 0 else i % ${FLOWS} end`

const HISTORY = [
  `insert into trail (org_id, trail_id, flow_id, name, details, repo_ids, created_by, created_at, last_modified_at)
    select o.org_id, 'run-' || i, 'flow-' || ${flowNumber}, 'run-' || i, '${DETAILS}', '{}', 'bench', i, i
    from org o, generate_series($1::int4, $2::int4) i where o.name = 'bench'`,
  `insert into exposure (org_id, fingerprint, environment_id, first_index, last_index, from_at, to_at,
      started_verdict, verdict, non_compliant, name)
    select o.org_id, lpad(to_hex(i / 100), 64, '0'), 'environment-' || i % ${ENVIRONMENTS}, i, i,
      i::int8 * 1000000, i::int8 * 1000000 + 5000000, 'Compliant', 'Compliant', 0, 'app'
    from org o, generate_series($1::int4, $2::int4) i where o.name = 'bench'`,
  `insert into deployment (org_id, environment_id, index, position, timestamp, fingerprint, total)
    select o.org_id, 'environment-' || i % ${ENVIRONMENTS}, i, 1, i::int8 * 1000000, lpad(to_hex(i / 100), 64, '0'), i
    from org o, generate_series($1::int4, $2::int4) i where o.name = 'bench'`
]

/** People of the org since long ago, in teams that do not matter. */
const MEMBERS = [
  `insert into app_user (user_id, login, created_at) select 'person-' || i, 'person-' || i, 1
    from generate_series(1, ${PEOPLE}) i`,
  `insert into membership (org_id, user_id, role, created_at) select o.org_id, 'person-' || i, 'reader', 1
    from org o, generate_series(1, ${PEOPLE}) i where o.name = 'bench'`,
  `insert into membership_event (org_id, event_id, user_id, user_name, changed_by, role, suspended, source,
      created_at, user_folded, changed_by_folded)
    select o.org_id, 'event-' || i, 'person-' || i, 'person-' || i, 'bench', 'reader', false, 'script', 1,
      'person-' || i, 'bench'
    from org o, generate_series(1, ${PEOPLE}) i where o.name = 'bench'`
]

/** Fills the org behind the server. */
const fill = async ({ databaseUrl }) => {
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  await database.query("set search_path to attestry, pg_temp")
  await database.query(`create temp table teams as select s.space_id, substring(d.name from 2)::int * ${TEAMS}
      + substring(s.name from 2)::int as number
    from space s join space d on d.org_id = s.org_id and d.space_id = s.parent_id and d.to_at is null
    where s.to_at is null`)
  for (const statement of [...WORLD, ...MEMBERS]) await database.query(statement)
  for (let first = 1; first <= TRAILS; first += AT_ONCE) {
    const last = Math.min(TRAILS, first + AT_ONCE - 1)
    for (const statement of HISTORY) await database.query(statement, [first, last])
  }
  await database.query("analyze")
  await database.end()
}

/** Calls the API as the first admin, or with another key. */
const callerOf =
  ({ headers, port }) =>
  async (method, path, body, key) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v2${path}`, {
      method,
      headers: key === undefined ? headers : { ...headers, authorization: `Bearer ${key}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    if (!response.ok) throw new Error(`${method} ${path} answered ${await response.text()}`)
    const text = await response.text()
    return text.startsWith("{") ? JSON.parse(text) : text
  }

/** A person without a role in the org, with a key and these grants. */
const personWith = async (call, login, grants) => {
  const { secret } = await call("POST", "/invitations/bench", { role: "none" })
  const { api_key: key } = await call("POST", "/invitation/accept", { secret, login })
  for (const [space, role] of grants)
    await call("PUT", "/grants/bench", { subject: { kind: "user", name: login }, space, role })
  return { authorization: `Bearer ${key}`, "content-type": "application/json" }
}

const makeSpaces = async (call) => {
  for (let division = 0; division < DIVISIONS; division++) {
    await call("POST", "/spaces/bench", { path: `d${division}` })
    for (let team = 0; team < TEAMS; team++)
      await call("POST", "/spaces/bench", { path: `d${division}/t${team}` })
  }
}

const ratio = (name, [whole, part], goal) =>
  line(
    `29 ${name}`,
    `${part.toFixed(1)} ms, ${whole.toFixed(1)} ms, ${(part / whole).toFixed(2)} times`,
    { goal: `at most ${goal}`, isReached: part <= goal * whole }
  )

const lists = async ({ headers, port }, { team, division, quiet }) => {
  const compare = async (name, path, reader, goal) => {
    const read = (each) => () => get(port, { path, headers: each })
    await inTurns(3, read(headers), read(reader))
    ratio(name, await inTurns(SAMPLES, read(headers), read(reader)), goal)
  }
  const page = "page=1&per_page=50"
  await compare("trails of one team", `/trails/bench?${page}`, team, 8)
  await compare("trails of a quiet team", `/trails/bench?${page}`, quiet, 8)
  await compare("trails of one team, page 20", `/trails/bench?page=20&per_page=50`, team, 8)
  await compare("trails of a division", `/trails/bench?${page}`, division, 60)
  await compare("flows of one team", `/flows/bench?${page}`, team, 2)
  await compare("environments of one team", `/environments/bench?${page}`, team, 2)
  await compare("deployments of one team", `/deployments/bench?${page}`, team, 2)
  const fingerprint = "100".padStart(64, "0")
  await compare(
    "exposure of one team",
    `/exposure/bench?fingerprint=${fingerprint}&${page}`,
    team,
    2
  )
  await compare("5,000 rows of a snapshot", "/snapshots/bench/wide/1", team, 1.15)
}

/** A snapshot of 5,000 rows in the team's space; every other artifact is of a flow of another team. */
const wideSnapshot = async (call, { put, send }) => {
  await call("PUT", "/environments/bench", { name: "wide", type: "cloudx-apps", space: teamOf(0) })
  const artifacts = artifactsOf(ROWS)
  const fingerprints = artifacts.map(({ digests }) => Object.values(digests)[0])
  for (const [index, fingerprint] of fingerprints.entries()) {
    if (index % 10 !== 0) continue
    await call("POST", `/artifacts/bench/flow-${index % 20 === 0 ? 0 : 1}`, {
      fingerprint,
      filename: "service",
      git_commit: "a".repeat(40),
      build_url: "https://ci.example.org/1",
      commit_url: "https://git.example.org/1",
      trail_name: `wide-${index}`,
      template_reference_name: "service"
    })
  }
  await send(put("/environments/bench/wide/report/cloudx-apps", reportOf(artifacts)))
}

/** A request after the time for which a credential is kept. */
const afterwards = (port, headers) => async () => {
  await new Promise((resolve) => setTimeout(resolve, 900))
  return timed(() => get(port, { path: "/user/default-org", headers }))
}

const authentication = async ({ port }, { plain, manifold }) => {
  const samples = { plain: [], manifold: [] }
  for (let sample = 0; sample < 15; sample++) {
    samples.plain.push(await afterwards(port, plain)())
    samples.manifold.push(await afterwards(port, manifold)())
  }
  const middle = (values) => values.toSorted((left, right) => left - right)[values.length >> 1]
  ratio(
    "authentication with 17 bindings, uncached",
    [middle(samples.plain), middle(samples.manifold)],
    1.5
  )
  const read = (headers) => () => get(port, { path: "/user/default-org", headers })
  ratio(
    "authentication with 17 bindings, cached",
    await inTurns(401, read(plain), read(manifold)),
    1.02
  )
}

/** Attestations of a flow in a space by a key that narrows, against an org without spaces and a key without scope. */
const attestations = async (here, plainHere) => {
  const prepare = async (deployment, scope) => {
    const call = callerOf(deployment)
    await call("PUT", "/flows/bench", {
      name: "posts",
      description: "",
      ...(scope === undefined ? {} : { space: teamOf(0) })
    })
    await call("PUT", "/trails/bench/posts", { name: "t" })
    await call("POST", "/service-accounts/bench", { name: "pipeline", privilege: "member" })
    const made = await call("POST", "/service-accounts/bench/pipeline/api-keys", {
      description: "bench",
      ...(scope === undefined ? {} : { scope })
    })
    return () =>
      call(
        "POST",
        "/attestations/bench/posts/trail/t/generic",
        { attestation_name: "tests", is_compliant: true },
        made.key
      )
  }
  const plain = await prepare(plainHere, undefined)
  const scoped = await prepare(here, { permissions: ["pipeline"] })
  await inTurns(100, plain, scoped)
  ratio("an attestation by a key that narrows", await inTurns(501, plain, scoped), 1.05)
}

/** The first synchronization of people and groups, and what it costs other requests. */
const synchronization = async ({ headers, port }, call) => {
  await call("POST", "/service-accounts/bench", { name: "provider", privilege: "admin" })
  const { key } = await call("POST", "/service-accounts/bench/provider/api-keys", {
    description: "bench",
    scope: { permissions: ["provision"] }
  })
  const reads = async (isOver) => {
    const times = []
    while (!isOver(times.length))
      times.push(await timed(() => get(port, { path: "/flows/bench/flow-0", headers })))
    return percentile99(times)
  }
  const alone = await reads((count) => count >= 2_000)
  let isDone = false
  const sync = async () => {
    for (let person = 1; person <= PEOPLE; person++)
      await call(
        "POST",
        "/scim/bench/Users",
        {
          schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
          userName: `scim-${person}`,
          active: true
        },
        key
      )
    isDone = true
  }
  const [beside] = await Promise.all([reads(() => isDone), sync()])
  ratio(`p99 of reads beside a synchronization of ${PEOPLE} people`, [alone, beside], 1.5)
}

const past = async ({ headers, port }) => {
  const at = Math.floor(Date.now() / 1000)
  const path = `/access/bench/who?permission=org.read&as_of=${at}`
  const took = []
  for (let sample = 0; sample < 5; sample++)
    took.push(await timed(() => get(port, { path, headers })))
  const middle = took.toSorted((left, right) => left - right)[2]
  line(`29 who may do something at an instant, of ${PEOPLE} people`, `${middle.toFixed(0)} ms`, {
    goal: "at most 300 ms",
    isReached: middle <= 300
  })
}

/** Runs the benchmark. */
export const run = async () => {
  const deployment = await startDeployment()
  const plain = await startDeployment()
  const call = callerOf(deployment)
  try {
    await makeSpaces(call)
    await fill(deployment)
    await wideSnapshot(call, deployment)
    const readers = {
      team: await personWith(call, "team", [[teamOf(0), "reader"]]),
      division: await personWith(call, "division", [["d0", "reader"]]),
      quiet: await personWith(call, "quiet", [[teamOf(QUIET), "reader"]])
    }
    await lists(deployment, readers)
    const spaces = Array.from({ length: 17 }, (_, index) => [teamOf(index), "reader"])
    await authentication(deployment, {
      plain: await personWith(call, "plain", []),
      manifold: await personWith(call, "manifold", spaces)
    })
    await attestations(deployment, plain)
    await past(deployment)
    await synchronization(deployment, call)
  } finally {
    await deployment.stop()
    await plain.stop()
  }
}
