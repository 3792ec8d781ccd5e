/**
 * Benchmarks 5 and 6: a report that replaces one row in a hundred, with a short history and a long one.
 *
 * The baseline is the statement that appends such a snapshot, sent by the driver alone to an environment with the same
 * history. Rows, events, traces and sometimes a bucket are the same; only the report writes the journal and the row of
 * the environment, and reads what it needs to decide. No policy is attached, so nothing is evaluated. Latencies are
 * wall-clock medians, interleaved. Only the WAL bytes of transactions are counted, because background work of PostgreSQL
 * writes WAL too. A minimal HTTP server takes turns with both, to show the cost of HTTP and of reading the body.
 * `BENCH_ROWS=5000 BENCH_SNAPSHOTS=10000` measures a large environment.
 */
import { Agent } from "node:http"
import { join } from "node:path"
import pg from "pg"
import { startDeployment } from "./lib/deployment.mjs"
import { draftOf, rowsOf } from "./lib/drafts.mjs"
import { fill, podsReport, REPLACED, ROWS, versionAt } from "./lib/history.mjs"
import { line, median, timed } from "./lib/http.mjs"
import { once } from "./lib/load.mjs"
import { startProcess } from "./lib/process.mjs"

const SHORT = 102
const LONG = Number(process.env.BENCH_SNAPSHOTS ?? 100_000)
const SAMPLES = 200
/** Enough for the server and the statement to be as fast as they get: the compiler works for thousands of reports. */
const WARM_UP = Number(process.env.BENCH_WARM_UP ?? 5_000)

const reportAt = (index) => podsReport(versionAt(index))

/** The draft of the statement alone, as text. */
const draftAt = (index) =>
  JSON.stringify(draftOf(index, rowsOf(reportAt(index - 1)), rowsOf(reportAt(index))))

const environmentOf = async (database, name) => {
  const { rows } = await database.query(
    "select org_id, environment_id from environment where name = $1",
    [name]
  )
  const [{ org_id: org, environment_id: env }] = rows
  return { org, env }
}

/** The bare server: `report` sends it the next report of an environment, the last of its history first. */
const startFloor = async (database, databaseUrl) => {
  const server = await startProcess([join(import.meta.dirname, "servers/changing-floor.mjs")], {
    env: { DATABASE_URL: databaseUrl },
    ready: /listening on (\d+)/
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    reporter: async (name, count) => {
      const { org, env } = await environmentOf(database, name)
      return (body) =>
        once(agent, server.match[1], {
          method: "PUT",
          path: `/${org}/${env}/${count}`,
          headers: {},
          body
        })
    },
    stop: async () => {
      agent.destroy()
      await server.stop()
    }
  }
}

const bodyOf = (index) => Buffer.from(JSON.stringify(reportAt(index)))

/** Makes snapshots in each way before any is timed. */
const warmUp = async (deployment, database, floor) => {
  const { put, send } = deployment
  for (const name of ["ours-warm", "bare-warm", "floor-warm"]) {
    await send(put("/environments/bench", { name, type: "K8S" }))
    await fill(database, name, SHORT)
  }
  const { org, env } = await environmentOf(database, "bare-warm")
  const report = await floor.reporter("floor-warm", SHORT)
  await report(bodyOf(SHORT))
  for (let index = SHORT + 1; index <= SHORT + WARM_UP; index++) {
    const body = bodyOf(index)
    await send(put("/environments/bench/ours-warm/report/K8S", body))
    await report(body)
    await database.query("select snapshot_append($1, $2, $3)", [org, env, draftAt(index)])
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

/** The ways of making the next snapshots, taking turns. */
const measure = async (deployment, database, { count, floor }) => {
  const { put, send } = deployment
  const { org, env } = await environmentOf(database, `bare-${count}`)
  const reportBare = await floor.reporter(`floor-${count}`, count)
  await reportBare(bodyOf(count))
  const wal = async () =>
    (await database.query("select pg_current_wal_insert_lsn()::text as at")).rows[0].at
  const costs = { ours: [], floor: [], bare: [], ourWal: [], bareWal: [] }
  for (let index = count + 1; index <= count + SAMPLES; index++) {
    const body = bodyOf(index)
    const report = put(`/environments/bench/ours-${count}/report/K8S`, body)
    const draft = draftAt(index)
    costs.floor.push(await timed(() => reportBare(body)))
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
  await database.connect()
  await database.query("set search_path to attestry, pg_temp")
  const floor = await startFloor(database, deployment.databaseUrl)
  try {
    await database.query("create extension pg_walinspect with schema pg_catalog")
    // WHY: the log is read when all samples have been taken, and a large environment fills many files of it.
    await database.query("alter system set wal_keep_size = '8GB'")
    await database.query("select pg_reload_conf()")
    await warmUp(deployment, database, floor)
    const found = new Map()
    for (const count of [SHORT, LONG]) {
      // WHY the last: what is last in an index grows at a smaller price, and nearly nothing is.
      for (const side of ["ours", "bare", "floor", "beyond"]) {
        const name = `${side}-${count}`
        await send(put("/environments/bench", { name, type: "K8S" }))
        await fill(database, name, side === "beyond" ? 1 : count)
      }
      found.set(count, await measure(deployment, database, { count, floor }))
    }
    for (const [count, { ours, floor: least, bare, ourWal, bareWal }] of found) {
      const [mine, raw] = [median(ours), median(bare)]
      line(
        `5 changed report, ${ROWS} artifacts, ${REPLACED} replaced, history of ${count} [ms]`,
        `${mine.toFixed(2)}; the statement alone: ${raw.toFixed(2)}; ratio ${(mine / raw).toFixed(2)}`,
        { goal: 2, isReached: mine / raw <= 2 }
      )
      process.stdout.write(
        `5 a bare server that reads it and runs the statement, the same history [ms]: ` +
          `${median(least).toFixed(2)}; ratio ${(median(least) / raw).toFixed(2)}; ` +
          `the report against it ${(mine / median(least)).toFixed(2)}\n`
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
    await floor.stop()
    await database.end()
    await deployment.stop()
  }
}
