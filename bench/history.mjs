/**
 * Benchmarks 12, 13 and 14: reading one snapshot of a long history, and what that history weighs.
 *
 * A short history is made by real reports, and the long one must answer alike where they overlap.
 * Latencies are wall-clock medians, interleaved; pages touched and bytes are counted.
 */
import pg from "pg"
import { startDeployment } from "./lib/deployment.mjs"
import { agree, fill, podsReport, REPLACED, ROWS, versionAt } from "./lib/history.mjs"
import { get, line, median, timed } from "./lib/http.mjs"

const SHORT = 100
const LONG = Number(process.env.BENCH_SNAPSHOTS ?? 100_000)
const SAMPLES = 25
const COPIES = 200

const moment = (index) =>
  `@{${new Date(1_700_000_000_000 + index * 1000).toISOString().slice(0, 19)}}`

/** 12 and 13: by number and by moment, at both ends and in the middle. */
const readPlaces = async (read) => {
  const places = { start: 30, middle: LONG / 2 + 30, end: LONG - 10 }
  for (const [place, index] of Object.entries(places)) {
    const [short, long, at] = [[], [], []]
    for (let sample = 0; sample < SAMPLES; sample++) {
      short.push(await timed(() => read("short", `${(sample % 40) + 30}`)))
      long.push(await timed(() => read("long", `${index - (sample % 20)}`)))
      at.push(await timed(() => read("long", moment(index - (sample % 20)))))
    }
    const [ours, base, then] = [median(long), median(short), median(at)]
    line(
      `12 snapshot by number, ${place} of ${LONG} [ms]`,
      `${ours.toFixed(1)}; of ${SHORT}: ${base.toFixed(1)}; ratio ${(ours / base).toFixed(2)}`,
      { goal: 1.2, isReached: ours / base <= 1.2 }
    )
    line(
      `13 snapshot at a moment, ${place} of ${LONG} [ms]`,
      `${then.toFixed(1)}; by number: ${ours.toFixed(1)}; ratio ${(then / ours).toFixed(2)}`,
      { goal: 1.2, isReached: then / ours <= 1.2 }
    )
  }
}

const TABLES = ["snapshot", "snapshot_row", "snapshot_event"]

/** 14: bytes per snapshot, against the rows of the snapshots as one document each. */
const weigh = async (database) => {
  await database.query(`create temp table full_copy as select s.index, jsonb_agg(r.doc ||
      jsonb_build_object('name', r.name, 'fingerprint', r.fingerprint, 'verdict', r.verdict)) as doc
    from snapshot s join snapshot_row r on r.org_id = s.org_id
      and r.environment_id = s.environment_id and r.bucket = s.bucket
      and s.index between r.first_index and r.last_index
    where s.environment_id = (select environment_id from environment where name = 'long')
      and s.index <= ${COPIES} group by s.index`)
  const sizes = TABLES.map((table) => `pg_total_relation_size('${table}')`).join(" + ")
  const { rows } = await database.query(`select (${sizes})::float8 / ${LONG + SHORT} as ours,
    pg_total_relation_size('full_copy')::float8 / ${COPIES} as full`)
  const { ours, full } = rows[0]
  line(
    `14 bytes per snapshot, ${LONG} × ${ROWS}, ${REPLACED} replaced`,
    `${ours.toFixed(0)}; full copies ${full.toFixed(0)}; ratio ${(ours / full).toFixed(3)}`,
    { goal: 0.1, isReached: ours / full <= 0.1 }
  )
}

/** Runs the benchmarks. */
export const run = async () => {
  const deployment = await startDeployment()
  const { port, headers, put, send } = deployment
  const database = new pg.Client({ connectionString: deployment.databaseUrl })
  try {
    await database.connect()
    await database.query("set search_path to attestry, pg_temp")
    for (const name of ["short", "long"]) {
      await send(put("/environments/bench", { name, type: "K8S" }))
    }
    for (let index = 1; index <= SHORT; index++) {
      await send(put("/environments/bench/short/report/K8S", podsReport(versionAt(index))))
    }
    await fill(database, "long", LONG)
    const read = async (environment, expression) => {
      const path = `/snapshots/bench/${environment}/${encodeURIComponent(expression)}`
      return JSON.parse(await get(port, { path, headers }))
    }
    await agree(read, ["short", "long"], [1, 2, 3, 37, SHORT - 1, SHORT])
    await readPlaces(read)
    await weigh(database)
  } finally {
    await database.end()
    await deployment.stop()
  }
}
