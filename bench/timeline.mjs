/**
 * Benchmark 24: the timeline of a long history, whole and of one day, and a board of environments with their newest
 * snapshots and their last day. Latencies are wall-clock medians of answers over HTTP.
 */
import pg from "pg"
import { startDeployment } from "./lib/deployment.mjs"
import { get, line, median, timed } from "./lib/http.mjs"

const LONG = Number(process.env.BENCH_SNAPSHOTS ?? 100_000)
const BOARD = 100
const SAMPLES = 25
const ANSWER_MS = 150

/** One snapshot a minute up to now, of which every tenth fails. */
const FILL = `insert into snapshot (org_id, environment_id, index, timestamp, verdict, count_true, count_false,
    count_null, bucket, changes, events_total, commit_position, semantics)
  select e.org_id, e.environment_id, i,
    (extract(epoch from now())::int8 - ($2::int4 - i) * 60) * 1000000::int8,
    case when i % 10 = 0 then 'NonCompliant' else 'Compliant' end, 1, 0, 0, 0, 0, 0, i, 1
  from environment e cross join generate_series(1, $2::int4) i where e.name = $1`

/** Runs the benchmark. */
export const run = async () => {
  const deployment = await startDeployment()
  const { port, headers, put, send } = deployment
  const database = new pg.Client({ connectionString: deployment.databaseUrl })
  const measure = async (name, path) => {
    const times = []
    for (let sample = 0; sample < SAMPLES; sample++) {
      times.push(await timed(() => get(port, { path, headers })))
    }
    const took = median(times)
    line(name, took.toFixed(1), { goal: ANSWER_MS, isReached: took <= ANSWER_MS })
  }
  try {
    await database.connect()
    await database.query("set search_path to attestry, pg_temp")
    await send(put("/environments/bench", { name: "long", type: "K8S" }))
    await database.query(FILL, ["long", LONG])
    for (let number = 0; number < BOARD - 1; number++) {
      await send(put("/environments/bench", { name: `board-${number}`, type: "K8S" }))
      await database.query(FILL, [`board-${number}`, 100])
    }
    const now = Math.floor(Date.now() / 1_000)
    const timeline = (seconds) =>
      `/snapshots/bench/long/timeline?from=${now - seconds}&to=${now}&buckets=1000`
    await measure(`24 timeline of ${LONG} snapshots [ms]`, timeline(LONG * 60))
    await measure(`24 timeline of a day among ${LONG} snapshots [ms]`, timeline(86_400))
    await measure(
      `24 board of ${BOARD} environments [ms]`,
      "/environments/bench?per_page=100&include=latest_snapshot,day"
    )
  } finally {
    await database.end()
    await deployment.stop()
  }
}
