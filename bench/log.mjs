/**
 * The evidence log: what it costs writers, what a leaf costs, and how soon a write is signed. What readers pay is in
 * `log-reads`.
 *
 * A transaction that holds the row of the tree keeps every server from making leaves: each skips a locked tree.
 * `BENCH_POSTS` is the number of writes of a round.
 */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { join } from "node:path"
import { compare } from "./lib/compare.mjs"
import { startCountingProxy } from "./lib/countingProxy.mjs"
import { startDeployment } from "./lib/deployment.mjs"
import { median, percentile99 } from "./lib/http.mjs"
import { drive } from "./lib/load.mjs"
import { caughtUp, cpuPer, hold, pending, poster, prepare } from "./lib/log.mjs"
import { walOf } from "./lib/wal.mjs"

const POSTS = Number(process.env.BENCH_POSTS ?? 4_000)
const WARM_UP = Number(process.env.BENCH_WARM_UP ?? 4_000)
const RATE = 500
const SAMPLES = 200
/** The least time between two checkpoints of a log, in milliseconds. */
const BETWEEN_CHECKPOINTS = 500
const KINDS = ["artifact", "attestation"]

const say = (text) => process.stdout.write(`${text}\n`)
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** WHY no scrub: it would report each trail that no request has begun as damage. */
const startServer = (options = {}) =>
  startDeployment({ ...options, env: { ATTESTRY_SCRUB_RATE: "0" } })

/** A server that counts its statements, with trails; `main` is another executable. */
const prepareCounted = async (main) => {
  let proxy
  const through = async (url) => {
    proxy = await startCountingProxy(url)
    return proxy.url
  }
  const deployment = await startServer(main === undefined ? { through } : { through, main })
  return { ...deployment, proxy, database: await prepare(deployment) }
}

const WITHOUT_WORKER = join(import.meta.dirname, "servers/without-log-worker.mjs")

/**
 * 1: a POST alone, while no leaf is made, against a server that has no worker of the log; with the statements and the
 * bytes of the transactions that write.
 */
const requests = async () => {
  const subject = await prepareCounted()
  const baseline = await prepareCounted(WITHOUT_WORKER)
  const release = await hold(subject)
  for (const kind of KINDS) {
    const side = (deployment) => {
      const next = poster(deployment, kind)
      const post = (count) => drive(deployment.port, { count, connections: 16, next })
      const cost = () => cpuPer(deployment, POSTS, () => post(POSTS))
      return { post, warmUp: () => post(WARM_UP), cost }
    }
    const sides = { subject: side(subject), baseline: side(baseline) }
    await compare({
      name: `log 1 ${kind} POST, the request alone`,
      goal: 0.98,
      unit: "µs CPU/POST",
      ...sides
    })
    for (const [name, deployment] of Object.entries({ subject, baseline })) {
      const { counts } = deployment.proxy
      const before = counts.statements
      const bytes = await walOf(deployment.database, () => sides[name].post(POSTS))
      const statements = counts.statements - before
      say(
        `log 1 ${kind} POST, ${name}: ${(statements / POSTS).toFixed(2)} statements, ` +
          `${(bytes / POSTS).toFixed(0)} B of WAL`
      )
    }
  }
  await release()
  for (const { database, proxy, stop } of [subject, baseline]) {
    await database.end()
    await stop()
    proxy.stop()
  }
}

/** 2: a POST with everything that follows from it, against the same with the tree locked. */
const writes = async () => {
  const deployment = await startServer()
  const database = await prepare(deployment)
  for (const kind of KINDS) {
    const next = poster(deployment, kind)
    const post = () => drive(deployment.port, { count: POSTS, connections: 16, next })
    const cost = (isHeld) => async () => {
      const release = isHeld ? await hold(deployment) : async () => {}
      const spent = await cpuPer(deployment, POSTS, async () => {
        await post()
        if (!isHeld) await caughtUp(database)
      })
      await release()
      await caughtUp(database)
      return spent
    }
    const warmUp = () => drive(deployment.port, { count: WARM_UP, connections: 16, next })
    await compare({
      name: `log 2 ${kind} POST, all CPU including sequencing`,
      goal: 0.88,
      unit: "µs CPU/POST",
      subject: { warmUp, cost: cost(false) },
      baseline: { warmUp, cost: cost(true) }
    })
    const release = await hold(deployment)
    const writing = await walOf(database, post)
    const leaves = await walOf(database, async () => {
      await release()
      await caughtUp(database)
    })
    const [written, ofLeaf] = [writing, leaves].map((bytes) => (bytes / POSTS).toFixed(0))
    say(`log 8 WAL per ${kind}: writing ${written} B, of its leaf ${ofLeaf} B (goal 450)`)
  }
  await database.end()
  await deployment.stop()
}

/** 3, 4, 8 and 9: leaves of a journal that waits, their size on the disk, and verifying them. */
const sequencing = async () => {
  const deployment = await startServer()
  const database = await prepare(deployment)
  const next = poster(deployment, "attestation")
  await drive(deployment.port, { count: WARM_UP, connections: 16, next })
  await caughtUp(database)
  const release = await hold(deployment)
  await drive(deployment.port, { count: 5 * POSTS, connections: 16, next })
  const count = await pending(database)
  const started = performance.now()
  const { node, postgres } = await cpuPer(deployment, count, async () => {
    await release()
    await caughtUp(database)
  })
  const seconds = (performance.now() - started) / 1_000
  const contents = (await database.query("select content from attestry.journal limit 10000")).rows
  const hashing = process.cpuUsage()
  for (const { content } of contents) createHash("sha256").update(content).digest()
  const hash = process.cpuUsage(hashing).user / contents.length
  say(
    `log 3 CPU per leaf [µs]: ${(node + postgres).toFixed(0)} (node ${node.toFixed(0)}, postgres ` +
      `${postgres.toFixed(0)}; goal 100), ${((node + postgres) / hash).toFixed(0)} times SHA-256 of the content`
  )
  say(
    `log 4 leaves a second: ${(count / seconds).toFixed(0)} by the clock, ` +
      `${(1_000_000 / (node + postgres)).toFixed(0)} of one core (goal 6000)`
  )
  const size = await database.query(`select (pg_total_relation_size('attestry.log_leaf')
    + pg_total_relation_size('attestry.log_node')) / (select max(size) from attestry.log_tree) as bytes`)
  say(`log 8 storage per leaf: ${size.rows[0].bytes} B (goal 320)`)
  const entries = (await database.query("select count(*)::int as n from attestry.journal")).rows[0]
    .n
  const verifying = performance.now()
  execFileSync(
    process.execPath,
    [join(import.meta.dirname, "../packages/server/dist/main.js"), "verify", "--level", "2"],
    {
      env: {
        ...process.env,
        ATTESTRY_STORE: "postgres",
        ATTESTRY_DATABASE_URL: deployment.databaseUrl
      },
      stdio: "ignore"
    }
  )
  const took = (performance.now() - verifying) / 1_000
  say(`log 9 verify: ${(entries / took).toFixed(0)} entries/s with its start (goal 8000)`)
  await database.end()
  await deployment.stop()
}

const SIGNED = `select exists (select from attestry.log_leaf l join attestry.log_checkpoint c
  on c.org_id = l.org_id and c.epoch = l.epoch and c.size > l.leaf_index where l.sequence = $1) as found`

/** 5: from the answer to a signed checkpoint, while others write. */
const freshness = async () => {
  const deployment = await startServer({ isSigned: true })
  const database = await prepare(deployment)
  const next = poster(deployment, "artifact")
  await drive(deployment.port, { count: WARM_UP, connections: 16, next })
  let isOver = false
  const load = (async () => {
    while (!isOver) {
      const started = performance.now()
      await drive(deployment.port, { count: RATE / 10, connections: 8, next })
      await sleep(Math.max(0, 100 - (performance.now() - started)))
    }
  })()
  const waits = []
  for (let sample = 0; sample < SAMPLES; sample++) {
    // WHY: the last sample ended with a checkpoint, and writes come at any time between two of them.
    await sleep(Math.random() * BETWEEN_CHECKPOINTS)
    await deployment.send(next())
    const answered = performance.now()
    const { rows } = await database.query("select max(sequence) as sequence from attestry.artifact")
    while (!(await database.query(SIGNED, [rows[0].sequence])).rows[0].found) await sleep(5)
    waits.push(performance.now() - answered)
  }
  isOver = true
  await load
  say(
    `log 5 answer to signed checkpoint at ${RATE} writes/s: p50 ${median(waits).toFixed(0)} ms ` +
      `(goal 300), p99 ${percentile99(waits).toFixed(0)} ms (goal 1000)`
  )
  await database.end()
  await deployment.stop()
}

const PARTS = { requests, writes, sequencing, freshness }

/** Runs the benchmark; number 12 is `unchanged-report`. */
export const run = async () => {
  const only = process.env.BENCH_PART
  for (const [name, part] of Object.entries(PARTS))
    if (only === undefined || only === name) await part()
}
