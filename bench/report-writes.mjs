/**
 * Benchmarks 3 and 4: what reports write, and how many statements they take.
 *
 * Counts, so they need no rounds: WAL bytes of 1,000 unchanged reports, and statements per report with 10
 * and with 5,000 artifacts, beside begin and commit and what a server does in the background.
 */
import pg from "pg"
import { startCountingProxy } from "./lib/countingProxy.mjs"
import { artifactsOf, reportOf, startDeployment } from "./lib/deployment.mjs"
import { drive } from "./lib/load.mjs"

const line = (name, value, goal, isReached) =>
  process.stdout.write(`${name}: ${value} (goal ${goal}${isReached ? "" : ", missed"})\n`)

const REPORTS = 1_000
const CHANGES = 20

/** Runs the benchmarks. */
export const run = async () => {
  let proxy
  const deployment = await startDeployment({
    through: async (url) => {
      proxy = await startCountingProxy(url)
      return proxy.url
    }
  })
  const database = new pg.Client({ connectionString: deployment.databaseUrl })
  await database.connect()
  const one = async (text) => (await database.query(text)).rows[0]
  const walBytes = async () =>
    Number((await one("select pg_current_wal_insert_lsn() - '0/0' as n")).n)
  const snapshots = async () => Number((await one("select count(*) as n from attestry.snapshot")).n)

  const results = []
  for (const artifacts of [10, 5_000]) {
    const environment = `env-${artifacts}`
    const path = `/environments/bench/${environment}/report/cloudx-apps`
    await deployment.send(
      deployment.put("/environments/bench", { name: environment, type: "cloudx-apps" })
    )
    const same = deployment.put(path, reportOf(artifactsOf(artifacts)))
    await deployment.send(same)
    const count = artifacts === 10 ? REPORTS : 100
    const [wal, made, seen] = [await walBytes(), await snapshots(), proxy.counts.statements]
    await drive(deployment.port, { count, connections: 16, next: () => same })
    const perReport = (proxy.counts.statements - seen) / count
    const written = (await walBytes()) - wal
    line(
      `3 unchanged report, ${artifacts} artifacts: WAL bytes of ${count} reports, heartbeats included`,
      `${written}, snapshots ${(await snapshots()) - made}`,
      "heartbeats only; 0",
      written < 20_000 && (await snapshots()) === made
    )
    line(
      `4 statements per unchanged report, ${artifacts} artifacts`,
      `${perReport.toFixed(2)} (credentials are read once a second)`,
      "1",
      Math.floor(perReport) <= 1
    )
    const before = proxy.counts.statements
    for (let change = 1; change <= CHANGES; change++) {
      const body = reportOf(artifactsOf(artifacts, (index) => (index < 3 ? change : 0)))
      await deployment.send(deployment.put(path, body))
    }
    const perChange = (proxy.counts.statements - before) / CHANGES
    results.push(perChange)
    line(
      `4 statements per changed report, ${artifacts} artifacts, beside begin and commit`,
      perChange.toFixed(2),
      "4",
      perChange <= 4.5
    )
  }
  line(
    "4 statements with 5,000 artifacts ÷ with 10",
    (results[1] / results[0]).toFixed(2),
    "1.0",
    results[1] / results[0] < 1.05
  )
  await database.end()
  await deployment.stop()
  proxy.stop()
}
