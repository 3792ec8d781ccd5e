/**
 * Reads of an org with very many environments, against a point read of one of them: the coverage of a
 * control, the matrix of controls, deployments, and lists of environments. Wall-clock medians of answers over HTTP, in
 * turns.
 *
 * `BENCH_ENVIRONMENTS` is the number of environments, `BENCH_DEPLOYMENTS` that of deployments, `BENCH_SAMPLES` that of
 * answers.
 */
import pg from "pg"
import { startDeployment } from "./lib/deployment.mjs"
import { get, inTurns, line } from "./lib/http.mjs"

const ENVIRONMENTS = Number(process.env.BENCH_ENVIRONMENTS ?? 1_000_000)
const DEPLOYMENTS = Number(process.env.BENCH_DEPLOYMENTS ?? Math.ceil(ENVIRONMENTS / 5))
const SAMPLES = Number(process.env.BENCH_SAMPLES ?? 41)
const CONTROLS = 5
/** How many times a point read an answer may take. */
const GOAL = 10
/** Rows that are written at a time. */
const AT_ONCE = 50_000

/** A policy asks for the control of its number. */
const policyOf = (control) => `_schema: https://example.org/schemas/environment-policy/v1
artifacts:
  attestations:
    - {type: decision, for_control: CTL-${control}}
`

const ENVIRONMENT = `insert into environment (org_id, environment_id, name, type, description, include_scaling, policies,
    require_provenance, tags, created_at, last_modified_at, last_changed_at, verdict)
  select o.org_id, 'environment-' || i, 'environment-' || i, 'K8S', '', false,
    case when i % 3 = 0 then jsonb_build_array(p.ids[1 + i % ${CONTROLS}]) else '[]' end, false, '{}', 0, 0,
    i::int8 * 7919 % ${ENVIRONMENTS}, 'Compliant'
  from org o, generate_series($1::int4, $2::int4) i,
    (select array_agg(policy_id order by name) as ids from policy) p where o.name = 'bench'`

const DEPLOYMENT = ["deployment", "deployment_flow"].map((table) => {
  const [column, value] =
    table === "deployment"
      ? ["fingerprint", "lpad(to_hex(i), 64, '0')"]
      : ["flow_id", "(select flow_id from flow limit 1)"]
  return `insert into ${table} (org_id, environment_id, index, position, timestamp, ${column}, total)
    select o.org_id, 'environment-' || i, 1, 1, i::int8 * 1000000, ${value}, 1
    from org o, generate_series($1::int4, $2::int4) i where o.name = 'bench'`
})

/** Fills the org behind the server. */
const fill = async ({ databaseUrl }) => {
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  await database.query("set search_path to attestry, pg_temp")
  const write = async (statement, count) => {
    for (let first = 1; first <= count; first += AT_ONCE)
      await database.query(statement, [first, Math.min(count, first + AT_ONCE - 1)])
  }
  await write(ENVIRONMENT, ENVIRONMENTS)
  for (const statement of DEPLOYMENT) await write(statement, DEPLOYMENTS)
  await database.query("vacuum analyze")
  await database.end()
}

/** Controls, a policy for each but the last, and a flow. */
const prepare = async ({ headers, port }) => {
  const call = async (method, path, body, type = "application/json") => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v2${path}`, {
      method,
      headers: { ...headers, "content-type": type },
      body: typeof body === "string" ? body : JSON.stringify(body)
    })
    if (!response.ok) throw new Error(`${method} ${path} answered ${await response.text()}`)
  }
  for (let control = 0; control < CONTROLS; control++) {
    await call("POST", "/controls/bench", {
      identifier: `CTL-${control}`,
      name: `Control ${control}`
    })
    await call("PUT", "/policies/bench", {
      name: `policy-${control}`,
      policy_yaml: policyOf(control)
    })
  }
  await call("PUT", "/flows/bench", { name: "builds", description: "" })
}

const page = "page=1&per_page=20"

/** What is read, by what it is called. */
const READS = {
  "coverage of a control": `/controls/bench/CTL-1/coverage?${page}`,
  "coverage, those covered": `/controls/bench/CTL-1/coverage?${page}&covered=true`,
  "coverage, those not covered": `/controls/bench/CTL-1/coverage?${page}&covered=false`,
  "controls by 20 environments": "/control-coverage/bench?environments_per_page=20",
  "deployments of the org": `/deployments/bench?${page}`,
  "deployments of a flow": `/deployments/bench?${page}&flow=builds`,
  environments: `/environments/bench?${page}`,
  "environments by their last change": `/environments/bench?${page}&sort=last_changed_at&sort_direction=desc`
}

/** Runs the benchmark. */
export const run = async () => {
  const deployment = await startDeployment({ env: { ATTESTRY_BETA_CONTROLS: "on" } })
  const { headers, port } = deployment
  const read = (path) => () => get(port, { path, headers })
  try {
    await prepare(deployment)
    await fill(deployment)
    const point = read("/environments/bench/environment-7")
    for (const [name, path] of Object.entries(READS)) {
      await inTurns(3, point, read(path))
      const [base, subject] = await inTurns(SAMPLES, point, read(path))
      const ratio = subject / base
      line(
        `${name}, of ${ENVIRONMENTS} environments`,
        `${subject.toFixed(1)} ms, a point read ${base.toFixed(1)} ms, ${ratio.toFixed(2)} times`,
        { goal: `at most ${GOAL}`, isReached: ratio <= GOAL }
      )
    }
  } finally {
    await deployment.stop()
  }
}
