/**
 * A new version of a policy of very many environments, against one of a single environment: the CPU of a PUT must not grow
 * with the environments. Then how many environments behind the policy a process judges in a second, in the background.
 *
 * `BENCH_ENVIRONMENTS` is the number of environments, `BENCH_PUTS` the number of versions of a round.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { compare } from "./lib/compare.mjs"
import { MAIN, startDeployment } from "./lib/deployment.mjs"
import { connect, cpuPer } from "./lib/log.mjs"
import { startProcess } from "./lib/process.mjs"

const ENVIRONMENTS = Number(process.env.BENCH_ENVIRONMENTS ?? 10_000)
const PUTS = Number(process.env.BENCH_PUTS ?? 40)

/** How many environments have a snapshot, and so something to judge. */
const JUDGED = Math.min(ENVIRONMENTS, 1_000)

const YAML = "_schema: https://example.org/policy/v1\nartifacts:\n  provenance: {required: true}\n"

const policy = (name, version) => ({ name, policy_yaml: `${YAML}# version ${version}\n` })

const REPORT = {
  artifacts: Array.from({ length: 10 }, (_, index) => ({
    digests: { [`service-${index}`]: index.toString(16).padStart(64, "0") },
    creationTimestamp: 1_790_000_000
  }))
}

const behind = async (database) =>
  (await database.query("select count(*)::int as count from attestry.environment_behind")).rows[0]
    .count

/** Environments with the policy: those with a report are made by the server, the others are copies without one. */
const fillEnvironments = async ({ put, send }, database) => {
  for (const [name, policies] of [
    ["single", ["single"]],
    ["copied", ["wide"]]
  ])
    await send(put("/environments/bench", { name, type: "server", policies }))
  for (let index = 0; index < JUDGED; index++) {
    const name = `judged-${index}`
    await send(put("/environments/bench", { name, type: "server", policies: ["wide"] }))
    await send(put(`/environments/bench/${name}/report/server`, REPORT))
  }
  await database.query(
    `insert into attestry.environment select (jsonb_populate_record(e, jsonb_build_object(
        'environment_id', 'copy-' || i, 'name', 'copy-' || i))).*
      from attestry.environment e, generate_series(1, $1::int4) i where e.name = 'copied'`,
    [Math.max(0, ENVIRONMENTS - JUDGED - 1)]
  )
}

/** How many environments another process judges in a second; several versions are applied by one evaluation. */
const drained = async ({ databaseUrl, put, send }, database) => {
  await send(put("/policies/bench", policy("wide", "drained")))
  const before = await behind(database)
  const worker = await startProcess([MAIN], {
    env: {
      ATTESTRY_STORE: "postgres",
      ATTESTRY_DATABASE_URL: databaseUrl,
      ATTESTRY_PORT: "0",
      ATTESTRY_LOG_LEVEL: "warning",
      ATTESTRY_SCRUB_RATE: "0"
    },
    ready: /ready at http:\/\/127\.0\.0\.1:(\d+)/
  })
  const begin = await behind(database)
  const since = performance.now()
  let left = begin
  while (left > 0) {
    await sleep(200)
    left = await behind(database)
  }
  const rate = (begin * 1_000) / (performance.now() - since)
  await worker.stop()
  const { count } = (
    await database.query(
      `select count(*)::int as count from attestry.snapshot s join attestry.environment e
        on e.org_id = s.org_id and e.environment_id = s.environment_id
        where e.name like 'judged-%' and s.index > 1`
    )
  ).rows[0]
  process.stdout.write(
    `environments judged in the background by one process: ${rate.toFixed(0)} a second ` +
      `(${before} behind, ${count} of ${JUDGED} with a new snapshot)\n`
  )
}

export const run = async () => {
  const deployment = await startDeployment({ env: { ATTESTRY_DUE_TURN: "off" } })
  const { put, send } = deployment
  const database = await connect(deployment)
  for (const name of ["single", "wide"]) await send(put("/policies/bench", policy(name, 0)))
  await fillEnvironments(deployment, database)
  let version = 0
  const side = (name) => {
    const puts = async () => {
      for (let sent = 0; sent < PUTS; sent++) {
        version += 1
        await send(put("/policies/bench", policy(name, version)))
      }
    }
    return { warmUp: puts, cost: () => cpuPer(deployment, PUTS, puts) }
  }
  await compare({
    name: `a version of a policy of ${ENVIRONMENTS} environments, against one`,
    goal: 0.33,
    unit: "µs CPU/PUT",
    subject: side("wide"),
    baseline: side("single")
  })
  await drained(deployment, database)
  await database.end()
  await deployment.stop()
}
