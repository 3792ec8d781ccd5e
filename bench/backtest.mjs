/**
 * Backtests of long histories, against copying the same rows out of the database, and against a tenth of the history.
 *
 * The rows run 500 at a time, of which 5 are replaced in each snapshot, and have no evidence: a policy that counted all
 * of them as compliant is tried with a rule that none of them fulfils. `BENCH_SNAPSHOTS` is the length of the history.
 */
import { readFileSync } from "node:fs"
import pg from "pg"
import { familyCpuSeconds } from "./lib/cpu.mjs"
import { startDeployment } from "./lib/deployment.mjs"
import { fill, podsReport, versionAt } from "./lib/history.mjs"
import { line, post } from "./lib/http.mjs"

const LONG = Number(process.env.BENCH_SNAPSHOTS ?? 100_000)
const SHORT = LONG / 10
const MEMORY_MAX = 256

const policyOf = (rules) =>
  `_schema: https://attestry.example/schemas/policy/v1\nartifacts: ${rules}\n`
const COUNTED = policyOf("{}")
const CANDIDATE = policyOf("{provenance: {required: true}}")

/** The largest memory that a process has had so far, in MiB. */
const peakOf = (pid) =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024

/** Backtests the candidate on an environment, and returns the last line of the answer. */
const backtest = async ({ port, headers }, environment) => {
  const decoder = new TextDecoder()
  let rest = ""
  await post(port, {
    path: "/policies/bench/backtest",
    headers: { ...headers, accept: "application/x-ndjson" },
    body: {
      candidate: { name: "rules", policy_yaml: CANDIDATE },
      environments: [environment],
      from: 1_700_000_000,
      to: 1_700_000_000 + LONG + 1,
      limit: 1
    },
    onData: (bytes) => {
      rest = (rest + decoder.decode(bytes, { stream: true })).split("\n").slice(-2).join("\n")
    }
  })
  const last = JSON.parse(rest.trim().split("\n").at(-1))
  if (last.type !== "done") throw new Error(`the backtest ended with ${JSON.stringify(last)}`)
  return last
}

/** The CPU time of the server, this process and PostgreSQL for some work, and its duration, in seconds. */
const costOf = async ({ server, databasePid }, work) => {
  const cpu = () => familyCpuSeconds([server.pid]) + familyCpuSeconds([databasePid])
  const own = process.cpuUsage()
  const [before, started] = [cpu(), performance.now()]
  const value = await work()
  const { user, system } = process.cpuUsage(own)
  const seconds = (performance.now() - started) / 1_000
  return { value, seconds, cpu: cpu() - before, own: (user + system) / 1_000_000 }
}

/** Reads the columns that a backtest reads, without doing anything with them. */
const copyOut = async (database) => {
  const text = `select first_index, last_index, started_index, name, fingerprint, verdict, decisions_digest
    from snapshot_row where environment_id = (select environment_id from environment where name = 'long')`
  await database.query("begin")
  await database.query(`declare rows cursor for ${text}`)
  for (let found = [1]; found.length > 0; )
    found = (await database.query("fetch 10000 from rows")).rows
  await database.query("rollback")
}

/** Runs the benchmark. */
export const run = async () => {
  const deployment = await startDeployment()
  const { put, send, server } = deployment
  const database = new pg.Client({ connectionString: deployment.databaseUrl })
  try {
    await database.connect()
    await database.query("set search_path to attestry, pg_temp")
    await send(put("/policies/bench/rules", { policy_yaml: COUNTED }))
    for (const name of ["judged", "short", "long"])
      await send(put("/environments/bench", { name, type: "K8S", policies: ["rules"] }))
    await send(put("/environments/bench/judged/report/K8S", podsReport(versionAt(1))))
    await fill(database, "short", SHORT, { like: "judged" })
    await fill(database, "long", LONG, { like: "judged" })
    await backtest(deployment, "short")
    const before = peakOf(server.pid)
    const short = await costOf(deployment, () => backtest(deployment, "short"))
    const long = await costOf(deployment, () => backtest(deployment, "long"))
    const memory = peakOf(server.pid)
    const copy = await costOf(deployment, () => copyOut(database))
    const { flips, rows } = long.value.totals
    line(`backtest of ${LONG} snapshots`, `${flips} flips in ${rows} rows`, {
      goal: "a flip for each row",
      isReached: flips === rows
    })
    const more = memory - before
    line(
      "backtest, memory of the server beyond that of a short one [MiB]",
      `${more.toFixed(0)} (${memory.toFixed(0)} at most)`,
      { goal: MEMORY_MAX, isReached: more <= MEMORY_MAX }
    )
    const perRow = (cost) => (cost.seconds / cost.value.totals.rows) * 1_000_000
    line(
      `backtest, time of a row in ${LONG} snapshots [µs]`,
      `${perRow(long).toFixed(1)} (${long.seconds.toFixed(1)} s); in ${SHORT}: ${perRow(short).toFixed(1)}; ` +
        `ratio ${(perRow(long) / perRow(short)).toFixed(2)}`,
      { goal: 1.3, isReached: perRow(long) / perRow(short) <= 1.3 }
    )
    const base = copy.cpu + copy.own
    line(
      "backtest, CPU against copying the same columns out [s]",
      `${long.cpu.toFixed(2)}; copy: ${base.toFixed(2)}; ratio ${(long.cpu / base).toFixed(2)}`,
      { goal: 2.5, isReached: long.cpu / base <= 2.5 }
    )
  } finally {
    await database.end()
    await deployment.stop()
  }
}
