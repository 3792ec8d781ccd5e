/**
 * Benchmarks 12, 13 and 14: reading one snapshot of a long history, and what that history weighs.
 *
 * The long history is written by statements that say what appending would have said: 500 rows, of which 5
 * are replaced in each snapshot, so that a bucket holds 50 snapshots. A short one is made by real reports,
 * and the two must answer alike where they overlap. Latencies are wall-clock medians, interleaved.
 */
import { request } from "node:http"
import pg from "pg"
import { artifactsOf, reportOf, startDeployment } from "./lib/deployment.mjs"

const ROWS = 500
const REPLACED = 5
const SHORT = 100
const LONG = Number(process.env.BENCH_SNAPSHOTS ?? 100_000)
const SAMPLES = 25
const OPEN = 2_147_483_647

/** Row r is replaced in every snapshot whose index is r ÷ 5 modulo 100; its version counts that. */
const CYCLE = ROWS / REPLACED
const versionAt = (index) => (row) =>
  Math.floor((index - Math.floor(row / REPLACED) + CYCLE - 1) / CYCLE)

const median = (values) => values.toSorted((left, right) => left - right)[values.length >> 1]

const get = (port, path, headers) =>
  new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", port, path: `/api/v2${path}`, headers }, (response) => {
      const chunks = []
      response.on("data", (chunk) => chunks.push(chunk))
      response.on("end", () =>
        response.statusCode === 200
          ? resolve(JSON.parse(Buffer.concat(chunks)))
          : reject(new Error(`${path} answered ${response.statusCode}`))
      )
    })
      .on("error", reject)
      .end()
  })

const NAME = "'registry.example.org/team/service-' || r || ':1.' || r"
const PRINT = (version) => `lpad(to_hex(r::int8 * 1000000 + ${version}), 64, '0')`
const DOC = `jsonb_build_object('creationTimestamp', jsonb_build_array(1790000000 + r), 'pods', null,
  'container_task_context', null, 'serverless_run_context', null, 'cloudx_app_context',
  jsonb_build_object('app_kind', 'web', 'app_name', 'service-' || r, 'digests_source', 'registry'))`

/** Fills an environment with the history, as appending would have left it. */
const fill = async (database, environment) => {
  const { rows } = await database.query(
    "select org_id, environment_id from environment where name = $1",
    [environment]
  )
  const [{ org_id: org, environment_id: env }] = rows
  const bucketOf = (index) => `((${index} - 1) / 50)`
  await database.query("select set_config('attestry.org_id', $1, false)", [org])
  await database.query(`insert into snapshot
    select '${org}', '${env}', i, 1700000000000000 + i::int8 * 1000000, 'Unknown', 0, 0, ${ROWS},
      ${bucketOf("i")}, ((i - 1) % 50) * ${REPLACED * 2}, null
    from generate_series(1, ${LONG}) i`)
  await database.query(`insert into snapshot_row (org_id, environment_id, bucket, first_index,
      last_index, started_index, name, fingerprint, verdict, flows_digest, doc)
    select '${org}', '${env}', b, greatest(born, b * 50 + 1),
      case when dies > b * 50 + 51 or dies > ${LONG} then ${OPEN} else dies - 1 end,
      greatest(born, 1), ${NAME}, ${PRINT("v")}, 'Unknown', null, ${DOC}
    from generate_series(0, ${bucketOf(LONG)}) b, generate_series(0, ${ROWS - 1}) r,
      lateral generate_series((b * 50 + 1 - r / ${REPLACED} + ${CYCLE - 1}) / ${CYCLE},
        (least(b * 50 + 50, ${LONG}) - r / ${REPLACED} + ${CYCLE - 1}) / ${CYCLE}) v,
      lateral (select (v - 1) * ${CYCLE} + r / ${REPLACED} + 1 as born,
        v * ${CYCLE} + r / ${REPLACED} + 1 as dies) life
    order by b, r, v`)
  await database.query(`insert into snapshot_event
    select r.org_id, r.environment_id, r.first_index, row_number() over (partition by r.first_index
        order by r.row_no) + ${REPLACED}, r.bucket, r.row_no, 'started-unknown', 0, 1, true
      from snapshot_row r where r.environment_id = '${env}' and r.first_index = r.started_index
    union all
    select r.org_id, r.environment_id, r.last_index + 1, row_number() over (partition by r.last_index
        order by r.row_no), r.bucket, r.row_no, 'exited', 1, 0, false
      from snapshot_row r where r.environment_id = '${env}' and r.last_index < ${OPEN}`)
  await database.query("analyze snapshot; analyze snapshot_row; analyze snapshot_event")
}

const contentOf = ({ artifacts }) =>
  artifacts.map(({ name, fingerprint, annotation }) => `${name} ${fingerprint} ${annotation.type}`)

const line = (name, value, goal, isReached) =>
  process.stdout.write(`${name}: ${value} (goal ${goal}${isReached ? "" : ", missed"})\n`)

/** Runs the benchmarks. */
export const run = async () => {
  const deployment = await startDeployment()
  const { port, headers, put, send } = deployment
  const database = new pg.Client({ connectionString: deployment.databaseUrl })
  await database.connect()
  await database.query("set search_path to attestry, pg_temp")
  for (const name of ["short", "long"]) {
    await send(put("/environments/bench", { name, type: "cloudx-apps" }))
  }
  for (let index = 1; index <= SHORT; index++) {
    const body = reportOf(artifactsOf(ROWS, versionAt(index)))
    await send(put("/environments/bench/short/report/cloudx-apps", body))
  }
  await fill(database, "long")
  const read = (environment, expression) =>
    get(port, `/snapshots/bench/${environment}/${encodeURIComponent(expression)}`, headers)

  for (const index of [1, 2, 37, 51, 52, SHORT]) {
    const [real, loaded] = [await read("short", `${index}`), await read("long", `${index}`)]
    if (contentOf(real).sort().join() !== contentOf(loaded).sort().join()) {
      throw new Error(`snapshot ${index} of the fixture is not what reports make`)
    }
  }

  const moment = (index) =>
    `@{${new Date(1_700_000_000_000 + index * 1000).toISOString().slice(0, 19)}}`
  const places = { start: 30, middle: LONG / 2 + 30, end: LONG - 10 }
  for (const [place, index] of Object.entries(places)) {
    const times = { short: [], long: [], moment: [] }
    const timed = async (side, environment, expression) => {
      const began = performance.now()
      await read(environment, expression)
      times[side].push(performance.now() - began)
    }
    for (let sample = 0; sample < SAMPLES; sample++) {
      await timed("short", "short", `${(sample % 40) + 30}`)
      await timed("long", "long", `${index - (sample % 20)}`)
      await timed("moment", "long", moment(index - (sample % 20)))
    }
    const [short, long, at] = [times.short, times.long, times.moment].map(median)
    line(
      `12 snapshot by number, ${place} of ${LONG} [ms]`,
      `${long.toFixed(1)}; of ${SHORT}: ${short.toFixed(1)}; ratio ${(long / short).toFixed(2)}`,
      "1.2",
      long / short <= 1.2
    )
    line(
      `13 snapshot at a moment, ${place} of ${LONG} [ms]`,
      `${at.toFixed(1)}; by number: ${long.toFixed(1)}; ratio ${(at / long).toFixed(2)}`,
      "1.2",
      at / long <= 1.2
    )
  }

  await database.query(`create temp table full_copy as select s.index, jsonb_agg(r.doc ||
      jsonb_build_object('name', r.name, 'fingerprint', r.fingerprint)) as doc
    from snapshot s join snapshot_row r on r.org_id = s.org_id
      and r.environment_id = s.environment_id and r.bucket = s.bucket
      and s.index between r.first_index and r.last_index
    where s.environment_id = (select environment_id from environment where name = 'long')
      and s.index <= 500 group by s.index`)
  const { rows } = await database.query(`select
    (pg_total_relation_size('snapshot') + pg_total_relation_size('snapshot_row') +
      pg_total_relation_size('snapshot_event'))::float8 / ${LONG + SHORT} as ours,
    pg_total_relation_size('full_copy')::float8 / 500 as full`)
  const { ours, full } = rows[0]
  line(
    `14 bytes per snapshot, ${LONG} × ${ROWS}, 1% replaced`,
    `${ours.toFixed(0)}; full copies ${full.toFixed(0)}; ratio ${(ours / full).toFixed(3)}`,
    "0.1",
    ours / full <= 0.1
  )
  await database.end()
  await deployment.stop()
}
