/**
 * How long a report that changes something takes: one after another, and 64 at once in environments of their own; and
 * the CPU time that the database spends on each.
 *
 * WHY also the clock: a database that compiles statements makes callers wait. `BENCH_DATABASE_URL` names one that can.
 */
import pg from "pg"
import { familyCpuSeconds } from "./lib/cpu.mjs"
import { artifactsOf, reportOf, startDeployment } from "./lib/deployment.mjs"
import { drive } from "./lib/load.mjs"

const ROUNDS = 20
const AT_ONCE = 64
const ARTIFACTS = 10
const GOAL_MS = 100

const median = (values) => values.sort((left, right) => left - right)[values.length >> 1]

const timed = async (work) => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** Runs the benchmark. */
export const run = async () => {
  const deployment = await startDeployment()
  const database = new pg.Client({ connectionString: deployment.databaseUrl })
  await database.connect()
  const { rows } = await database.query(
    "select current_setting('server_version') as version, pg_jit_available() as can_compile"
  )
  await database.end()
  const { put, send, port } = deployment
  const report = (environment, version) =>
    put(
      `/environments/bench/env-${environment}/report/cloudx-apps`,
      reportOf(artifactsOf(ARTIFACTS, () => version))
    )
  for (let environment = 0; environment < AT_ONCE; environment++)
    await send(put("/environments/bench", { name: `env-${environment}`, type: "cloudx-apps" }))
  const cpu = () => familyCpuSeconds([deployment.databasePid])
  const cpuBefore = cpu()
  const times = []
  for (let round = 0; round < ROUNDS; round++)
    times.push(await timed(() => send(report(0, round + 1))))
  const cpuOfOne = ((cpu() - cpuBefore) * 1_000) / ROUNDS
  const together = await timed(() =>
    drive(port, {
      count: AT_ONCE,
      connections: AT_ONCE,
      next: (n) => report(n, 1_000),
      patient: true
    })
  )
  await deployment.stop()
  const [{ version, can_compile: canCompile }] = rows
  const one = median(times)
  process.stdout.write(
    `changed report, ${ARTIFACTS} artifacts, PostgreSQL ${version} ` +
      `(${canCompile ? "can" : "cannot"} compile) [ms]: ` +
      `one ${one.toFixed(0)} (goal ${GOAL_MS}${one <= GOAL_MS ? "" : ", missed"}), ` +
      `slowest ${Math.max(...times).toFixed(0)}, CPU of the database ${cpuOfOne.toFixed(0)}; ` +
      `${AT_ONCE} at once ${together.toFixed(0)}\n`
  )
}
