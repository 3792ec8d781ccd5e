/**
 * The evidence logs of many orgs that write in the same second, signed by one process: checkpoints a second, and how
 * long a write waits for its own.
 *
 * `BENCH_ORGS` is the number of orgs, `BENCH_SECONDS` for how long each writes once a second.
 */
import { startDeployment } from "./lib/deployment.mjs"
import { median, percentile99 } from "./lib/http.mjs"
import { drive } from "./lib/load.mjs"
import { connect, cpuPer } from "./lib/log.mjs"

const ORGS = Number(process.env.BENCH_ORGS ?? 300)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 10)
/** How long the last writes may take to be signed, in milliseconds. */
const PATIENCE = 30_000

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** More orgs for everyone who is a member of the first. */
const addOrgs = async (database) => {
  await database.query(
    `insert into attestry.org (org_id, name, created_at)
      select 'many-' || i, 'many-' || i, 0 from generate_series(0, $1::int4 - 1) i`,
    [ORGS]
  )
  await database.query(
    `insert into attestry.membership (org_id, user_id, role, created_at)
      select 'many-' || i, m.user_id, m.role, m.created_at
      from attestry.membership m, generate_series(0, $1::int4 - 1) i
      where m.org_id not like 'many-%'`,
    [ORGS]
  )
}

/** The time of every entry of these orgs and of the first look that found it signed. */
const watch = (database) => {
  const seen = new Map()
  let isOver = false
  const look = async () => {
    const { rows } = await database.query(
      `select j.sequence, j.at from attestry.journal j
        join attestry.log_leaf l on l.org_id = j.org_id and l.sequence = j.sequence
        where j.org_id like 'many-%' and j.sequence > $1 and exists (select from attestry.log_checkpoint c
          where c.org_id = l.org_id and c.epoch = l.epoch and c.size > l.leaf_index)`,
      [Math.max(0, ...seen.keys()) - 20 * ORGS]
    )
    const now = Date.now()
    for (const { sequence, at } of rows) {
      const key = Number(sequence)
      if (!seen.has(key)) seen.set(key, now - Number(at) / 1_000)
    }
  }
  const done = (async () => {
    while (!isOver) {
      await look()
      await sleep(100)
    }
  })()
  return {
    seen,
    stop: () => {
      isOver = true
      return done
    }
  }
}

const countOf = async (database, table) =>
  (
    await database.query(
      `select count(*)::int4 as count from attestry.${table} where org_id like 'many-%'`
    )
  ).rows[0].count

export const run = async () => {
  const deployment = await startDeployment({ isSigned: true })
  const [database, watcher] = [await connect(deployment), await connect(deployment)]
  await addOrgs(database)
  const round = (number) =>
    drive(deployment.port, {
      count: ORGS,
      connections: 4,
      next: (index) =>
        deployment.put(`/flows/many-${index}`, { name: `flow-${number}`, description: "" })
    })
  // The first write of each org begins its log and notes its key.
  await round(0)
  await sleep(5_000)
  const before = await countOf(database, "log_checkpoint")
  const { seen, stop } = watch(watcher)
  const started = performance.now()
  const { node, postgres } = await cpuPer(deployment, SECONDS * ORGS, async () => {
    for (let second = 1; second <= SECONDS; second++) {
      await round(second)
      await sleep(Math.max(0, second * 1_000 - (performance.now() - started)))
    }
  })
  const took = (performance.now() - started) / 1_000
  const checkpoints = (await countOf(database, "log_checkpoint")) - before
  const written = await countOf(database, "journal")
  const until = Date.now() + PATIENCE
  while (seen.size < written && Date.now() < until) await sleep(100)
  await stop()
  const waits = [...seen.entries()].sort(([left], [right]) => left - right).slice(ORGS)
  const millis = waits.map(([, wait]) => wait)
  process.stdout.write(
    `many logs, ${ORGS} orgs that write once a second: ${(checkpoints / took).toFixed(0)} checkpoints a second ` +
      `(goal 200); answer to signed checkpoint p50 ${median(millis).toFixed(0)} ms, p99 ` +
      `${percentile99(millis).toFixed(0)} ms (goal 2000); ${seen.size} of ${written} entries signed; ` +
      `CPU of a write with its checkpoint: server ${node.toFixed(0)} µs, PostgreSQL ${postgres.toFixed(0)} µs\n`
  )
  for (const each of [database, watcher]) await each.end()
  await deployment.stop()
}
