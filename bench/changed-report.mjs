/**
 * Benchmarks 5 and 6: a report that replaces one row in a hundred, with a short history and a long one.
 *
 * The baseline is the statement that appends such a snapshot, sent by the driver alone to an environment
 * with the same history: the rows, events, traces and now and then a bucket are the same; the journal, the
 * environment's own row and everything that was read to decide are the report's alone. No policy is
 * attached, so that nothing is evaluated. Latencies are wall-clock medians, interleaved; WAL bytes are
 * counted, of transactions alone: a server that clears up behind others writes to the log as well.
 * `BENCH_ROWS=5000 BENCH_SNAPSHOTS=10000` measures a large environment.
 */
import pg from "pg"
import { startDeployment } from "./lib/deployment.mjs"
import {
  fill,
  fingerprintOf,
  podsReport,
  REPLACED,
  ROWS,
  storedDocument,
  versionAt
} from "./lib/history.mjs"
import { line, median, timed } from "./lib/http.mjs"

const SHORT = 102
const LONG = Number(process.env.BENCH_SNAPSHOTS ?? 100_000)
const SAMPLES = 200
/** Enough for the server and the statement to be as fast as they get: the compiler works for thousands of reports. */
const WARM_UP = Number(process.env.BENCH_WARM_UP ?? 5_000)

const draftOf = (index) => {
  const [before, now] = [versionAt(index - 1), versionAt(index)]
  const { artifacts } = podsReport(now)
  const changed = artifacts.flatMap(({ digests, creationTimestamp, ...pod }, row) => {
    const [[name, fingerprint]] = Object.entries(digests)
    return now(row) === before(row) ? [] : [{ row, name, fingerprint, creationTimestamp, pod }]
  })
  const ended = changed.map(({ row, name }) => ({
    name,
    fingerprint: fingerprintOf(row, before(row))
  }))
  return {
    index,
    timestamp: 1_700_000_000_000_000 + index * 1_000_000,
    verdict: "Unknown",
    counts: { true: 0, false: 0, null: ROWS },
    running: ROWS,
    members: null,
    policies: [],
    ended,
    begun: changed.map(({ name, fingerprint, creationTimestamp, pod }) => ({
      name,
      fingerprint,
      verdict: "Unknown",
      started_index: index,
      flows: [],
      decisions: [],
      doc: storedDocument({ creationTimestamp, ...pod })
    })),
    events: [
      ...ended.map((row) => ({ ...row, type: "exited", was: 1, now: 0, arrived: false })),
      ...changed.map(({ name, fingerprint }) => ({
        name,
        fingerprint,
        type: "started-unknown",
        was: 0,
        now: 1,
        arrived: true
      }))
    ]
  }
}

/** Makes snapshots both ways before any is timed. */
const warmUp = async (deployment, database) => {
  const { put, send } = deployment
  for (const name of ["ours-warm", "bare-warm"]) {
    await send(put("/environments/bench", { name, type: "K8S" }))
    await fill(database, name, SHORT)
  }
  const { rows } = await database.query(
    "select org_id, environment_id from environment where name = 'bare-warm'"
  )
  const [{ org_id: org, environment_id: env }] = rows
  for (let index = SHORT + 1; index <= SHORT + WARM_UP; index++) {
    await send(put("/environments/bench/ours-warm/report/K8S", podsReport(versionAt(index))))
    await database.query("select snapshot_append($1, $2, $3)", [
      org,
      env,
      JSON.stringify(draftOf(index))
    ])
  }
}

/** The bytes that transactions have written to the log in some stretches of it. */
const bytesIn = async (database, stretches) => {
  const { rows } = await database.query(
    `select coalesce(sum(r.record_length), 0)::int8 as n
      from unnest($1::pg_lsn[], $2::pg_lsn[]) as s (first, last),
        lateral pg_get_wal_records_info(s.first, s.last) r
      where r.xid::text <> '0'`,
    [stretches.map(({ first }) => first), stretches.map(({ last }) => last)]
  )
  return Number(rows[0].n)
}

/** Both ways of making the next snapshots, taking turns. */
const measure = async (deployment, database, count) => {
  const { put, send } = deployment
  const { rows } = await database.query(
    "select org_id, environment_id from environment where name = $1",
    [`bare-${count}`]
  )
  const [{ org_id: org, environment_id: env }] = rows
  const wal = async () =>
    (await database.query("select pg_current_wal_insert_lsn()::text as at")).rows[0].at
  const costs = { ours: [], bare: [], ourWal: [], bareWal: [] }
  for (let index = count + 1; index <= count + SAMPLES; index++) {
    const report = put(`/environments/bench/ours-${count}/report/K8S`, podsReport(versionAt(index)))
    const draft = JSON.stringify(draftOf(index))
    const start = await wal()
    costs.ours.push(await timed(() => send(report)))
    const between = await wal()
    costs.bare.push(
      await timed(() => database.query("select snapshot_append($1, $2, $3)", [org, env, draft]))
    )
    costs.ourWal.push({ first: start, last: between })
    costs.bareWal.push({ first: between, last: await wal() })
  }
  return {
    ...costs,
    ourWal: await bytesIn(database, costs.ourWal),
    bareWal: await bytesIn(database, costs.bareWal)
  }
}

/** Runs the benchmarks. */
export const run = async () => {
  const deployment = await startDeployment()
  const { put, send } = deployment
  const database = new pg.Client({ connectionString: deployment.databaseUrl })
  try {
    await database.connect()
    await database.query("create extension pg_walinspect with schema pg_catalog")
    await database.query("set search_path to attestry, pg_temp")
    await warmUp(deployment, database)
    const found = new Map()
    for (const count of [SHORT, LONG]) {
      // WHY a third: what is last in an index grows at a smaller price, and nearly nothing is.
      for (const side of ["ours", "bare", "beyond"]) {
        const name = `${side}-${count}`
        await send(put("/environments/bench", { name, type: "K8S" }))
        await fill(database, name, side === "beyond" ? 1 : count)
      }
      found.set(count, await measure(deployment, database, count))
    }
    for (const [count, { ours, bare, ourWal, bareWal }] of found) {
      const [mine, raw] = [median(ours), median(bare)]
      line(
        `5 changed report, ${ROWS} artifacts, ${REPLACED} replaced, history of ${count} [ms]`,
        `${mine.toFixed(2)}; the statement alone: ${raw.toFixed(2)}; ratio ${(mine / raw).toFixed(2)}`,
        { goal: 2, isReached: mine / raw <= 2 }
      )
      const [perOurs, perBare] = [ourWal, bareWal].map((bytes) => bytes / SAMPLES / REPLACED)
      line(
        `5 WAL bytes per replaced artifact, history of ${count}`,
        `${perOurs.toFixed(0)}; alone: ${perBare.toFixed(0)}; ratio ${(perOurs / perBare).toFixed(2)}`,
        { goal: 1.3, isReached: perOurs / perBare <= 1.3 }
      )
    }
    const [short, long] = [SHORT, LONG].map((count) => median(found.get(count).ours))
    line(
      `6 changed report, history of ${LONG} [ms]`,
      `${long.toFixed(2)}; of ${SHORT}: ${short.toFixed(2)}; ratio ${(long / short).toFixed(2)}`,
      { goal: 1.2, isReached: long / short <= 1.2 }
    )
  } finally {
    await database.end()
    await deployment.stop()
  }
}
