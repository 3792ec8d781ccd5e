/**
 * Benchmarks 16, 17 and 18: the last page of a log of a million events, the whole log as CSV, and what an
 * export does to reports that change nothing.
 */
import { readFileSync } from "node:fs"
import { pipeline } from "node:stream/promises"
import pg from "pg"
import { to as copyTo } from "pg-copy-streams"
import { startDeployment } from "./lib/deployment.mjs"
import { fill, podsReport, versionAt } from "./lib/history.mjs"
import { get, line, median, percentile99, timed } from "./lib/http.mjs"

const LONG = Number(process.env.BENCH_SNAPSHOTS ?? 100_000)
const FEW = 1_000
const SAMPLES = 25
const PER_PAGE = 100

const linesIn = (chunk) => {
  let count = 0
  for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) count++
  return count
}

const residentBytes = (pid) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) * 1024

/** 16: first page and last page. */
const readPages = async ({ port, headers }, events) => {
  const page = (number) =>
    timed(() =>
      get(port, {
        path: `/environments/bench/long/events?per_page=${PER_PAGE}&page=${number}`,
        headers
      })
    )
  const last = Math.floor(events / PER_PAGE)
  const times = { first: [], last: [] }
  for (let sample = 0; sample < SAMPLES; sample++) {
    times.first.push(await page(1))
    times.last.push(await page(last))
  }
  const [first, end] = [median(times.first), median(times.last)]
  line(
    `16 last page of ${events} events [ms]`,
    `${end.toFixed(1)}; first: ${first.toFixed(1)}; ratio ${(end / first).toFixed(2)}`,
    { goal: 2, isReached: end / first <= 2 }
  )
}

/** Reads an audit log to its end: lines per second, and the most memory that the server had meanwhile. */
const exportLog = async ({ port, headers, server }, environment) => {
  let [lines, peak] = [0, 0]
  const watch = setInterval(() => {
    peak = Math.max(peak, residentBytes(server.pid))
  }, 50)
  const took = await timed(() =>
    get(port, {
      path: `/environments/bench/${environment}/auditlog?event_types=started,exited&flow_names=no%20provenance`,
      headers,
      onData: (chunk) => {
        lines += linesIn(chunk)
      }
    })
  )
  clearInterval(watch)
  return { perSecond: (lines / took) * 1000, peak, lines }
}

const copyLog = async (database) => {
  let lines = 0
  const took = await timed(() =>
    pipeline(
      database.query(
        copyTo(`copy (select s.timestamp, e.index, e.type, r.name, r.fingerprint, e.was, e.now,
          r.verdict, s.verdict from snapshot_event e
          join snapshot s on s.org_id = e.org_id and s.environment_id = e.environment_id
            and s.index = e.index
          join snapshot_row r on r.org_id = e.org_id and r.environment_id = e.environment_id
            and r.bucket = e.bucket and r.row_no = e.row_no
          where e.environment_id = (select environment_id from environment where name = 'long')
          order by e.index, e.position) to stdout csv`)
      ),
      async function (source) {
        for await (const chunk of source) lines += linesIn(chunk)
      }
    )
  )
  return (lines / took) * 1000
}

/** 18: reports that change nothing, alone and beside an export. */
const reportBeside = async (deployment) => {
  const { put, send } = deployment
  const same = put("/environments/bench/few/report/K8S", podsReport(versionAt(FEW)))
  await send(same)
  const sample = async (isOver) => {
    const times = []
    while (!isOver(times)) times.push(await timed(() => send(same)))
    return percentile99(times)
  }
  const alone = await sample((times) => times.length >= 300)
  let isDone = false
  const exporting = exportLog(deployment, "long").finally(() => {
    isDone = true
  })
  const beside = await sample(() => isDone)
  await exporting
  line(
    "18 unchanged report during an export, p99 [ms]",
    `${beside.toFixed(1)}; alone: ${alone.toFixed(1)}; ratio ${(beside / alone).toFixed(2)}`,
    { goal: 3, isReached: beside / alone <= 3 }
  )
}

/** Runs the benchmarks. */
export const run = async () => {
  const deployment = await startDeployment()
  const { put, send } = deployment
  const database = new pg.Client({ connectionString: deployment.databaseUrl })
  try {
    await database.connect()
    await database.query("set search_path to attestry, pg_temp")
    for (const [name, count] of [
      ["few", FEW],
      ["long", LONG]
    ]) {
      await send(put("/environments/bench", { name, type: "K8S" }))
      await fill(database, name, count)
    }
    const { rows } = await database.query(
      `select max(events_total)::float8 as events from snapshot`
    )
    await readPages(deployment, rows[0].events)
    await exportLog(deployment, "few")
    const { peak: fewPeak } = await exportLog(deployment, "few")
    const copied = []
    const exported = []
    for (let round = 0; round < 3; round++) {
      copied.push(await copyLog(database))
      exported.push(await exportLog(deployment, "long"))
    }
    const [ours, raw] = [median(exported.map(({ perSecond }) => perSecond)), median(copied)]
    line(
      `17 audit log of ${exported[0].lines - 1} events [rows/s]`,
      `${ours.toFixed(0)}; COPY: ${raw.toFixed(0)}; ratio ${(ours / raw).toFixed(2)}`,
      { goal: 0.7, isReached: ours / raw >= 0.7 }
    )
    const grown = (Math.max(...exported.map(({ peak }) => peak)) - fewPeak) / 1_048_576
    line("17 memory above that of a short log [MiB]", grown.toFixed(0), {
      goal: 32,
      isReached: grown <= 32
    })
    await reportBeside(deployment)
  } finally {
    await database.end()
    await deployment.stop()
  }
}
