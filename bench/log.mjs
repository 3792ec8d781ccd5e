/**
 * The evidence log: what it costs writers, what a leaf costs, how soon a write is signed, and what readers pay.
 *
 * A transaction that holds the row of the tree stands for a sequencer that is off: every server skips a locked tree.
 * `BENCH_LEAVES` is the size of the log that proofs are read from, `BENCH_POSTS` the number of writes of a round.
 */
import { execFileSync } from "node:child_process"
import { createHash, randomBytes } from "node:crypto"
import { join } from "node:path"
import * as MerkleTree from "@attestry/core/MerkleTree"
import pg from "pg"
import { compare } from "./lib/compare.mjs"
import { familyCpuSeconds } from "./lib/cpu.mjs"
import { startDeployment } from "./lib/deployment.mjs"
import { artifactOf, attestationOf, fillTrails, trailName } from "./lib/evidence.mjs"
import { drive } from "./lib/load.mjs"

const POSTS = Number(process.env.BENCH_POSTS ?? 4_000)
const LEAVES = Number(process.env.BENCH_LEAVES ?? 1_000_000)
const WARM_UP = Number(process.env.BENCH_WARM_UP ?? 4_000)
const BATCH = 10_000
const RATE = 500
const SAMPLES = 200

const say = (text) => process.stdout.write(`${text}\n`)
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const percentile = (values, part) =>
  [...values].sort((left, right) => left - right)[Math.floor((values.length - 1) * part)]

const connect = async ({ databaseUrl }) => {
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  return database
}

const prepare = async (deployment) => {
  const database = await connect(deployment)
  await deployment.send(deployment.put("/flows/bench", { name: "build", description: "" }))
  await fillTrails(database, { flowName: "build", count: 2_000 })
  return database
}

/** Writes evidence of one kind, into one trail after the other. */
const poster = ({ headers }, kind) => {
  let sent = 0
  return () => {
    const index = sent++
    const trail = trailName(index % 2_000)
    const [path, body] =
      kind === "artifact"
        ? ["/artifacts/bench/build", artifactOf(trail, index)]
        : [`/attestations/bench/build/trail/${trail}/generic`, attestationOf(index)]
    return {
      method: "POST",
      path: `/api/v2${path}`,
      headers,
      body: Buffer.from(JSON.stringify(body))
    }
  }
}

/** Holds the trees of all logs, so that nothing is integrated, until the result is called. */
const hold = async (deployment) => {
  const holder = await connect(deployment)
  await holder.query("begin")
  await holder.query("select from attestry.log_tree for update")
  return async () => {
    await holder.query("rollback")
    await holder.end()
  }
}

const cpuOf = ({ server, databasePid }) => [
  familyCpuSeconds([server.pid]),
  familyCpuSeconds([databasePid])
]

const pending = async (database) => {
  const { rows } = await database.query(`select (select count(*) from attestry.journal)::int
    - (select coalesce(max(size), 0) from attestry.log_tree)::int as count`)
  return rows[0].count
}

const caughtUp = async (database) => {
  while ((await pending(database)) > 0) await sleep(50)
}

/** 1 and 2: a POST with everything that follows from it, against the same with the tree held. */
const writes = async () => {
  const deployment = await startDeployment()
  const database = await prepare(deployment)
  for (const kind of ["artifact", "attestation"]) {
    const next = poster(deployment, kind)
    const cost = (isHeld) => async () => {
      const release = isHeld ? await hold(deployment) : async () => {}
      const before = cpuOf(deployment)
      await drive(deployment.port, { count: POSTS, connections: 16, next })
      if (!isHeld) await caughtUp(database)
      const after = cpuOf(deployment)
      await release()
      await caughtUp(database)
      const [node, postgres] = after.map((at, part) => ((at - before[part]) / POSTS) * 1_000_000)
      return { total: node + postgres, node, postgres }
    }
    const warmUp = () => drive(deployment.port, { count: WARM_UP, connections: 16, next })
    await compare({
      name: `log 2 ${kind} POST, all CPU including sequencing`,
      goal: 0.88,
      unit: "µs CPU/POST",
      subject: { warmUp, cost: cost(false) },
      baseline: { warmUp, cost: cost(true) }
    })
    const walOf = async (isHeld) => {
      const release = await hold(deployment)
      const at = async () =>
        (await database.query("select pg_current_wal_insert_lsn() as at")).rows[0].at
      const from = await at()
      await drive(deployment.port, { count: POSTS, connections: 16, next })
      const to = await at()
      await release()
      const wal = async (low, high) =>
        Number((await database.query("select pg_wal_lsn_diff($1, $2) as n", [high, low])).rows[0].n)
      const written = await wal(from, to)
      if (isHeld) return written / POSTS
      await caughtUp(database)
      return (written + (await wal(to, await at()))) / POSTS
    }
    const held = await walOf(true)
    const all = await walOf(false)
    say(
      `log 8 WAL per ${kind}: writing ${held.toFixed(0)} B, of its leaf ${(all - held).toFixed(0)} B (goal 450)`
    )
  }
  await database.end()
  await deployment.stop()
}

/** 3, 4, 8 and 9: leaves of a journal that waits, their size on the disk, and verifying them. */
const sequencing = async () => {
  const deployment = await startDeployment()
  const database = await prepare(deployment)
  const next = poster(deployment, "attestation")
  await drive(deployment.port, { count: WARM_UP, connections: 16, next })
  await caughtUp(database)
  const release = await hold(deployment)
  await drive(deployment.port, { count: 5 * POSTS, connections: 16, next })
  const count = await pending(database)
  const before = cpuOf(deployment)
  const started = performance.now()
  await release()
  await caughtUp(database)
  const seconds = (performance.now() - started) / 1_000
  const [node, postgres] = cpuOf(deployment).map(
    (at, part) => ((at - before[part]) / count) * 1_000_000
  )
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
  const deployment = await startDeployment({ isSigned: true })
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
    await deployment.send(next())
    const answered = performance.now()
    const { rows } = await database.query("select max(sequence) as sequence from attestry.artifact")
    while (!(await database.query(SIGNED, [rows[0].sequence])).rows[0].found) await sleep(5)
    waits.push(performance.now() - answered)
  }
  isOver = true
  await load
  say(
    `log 5 answer to signed checkpoint at ${RATE} writes/s: p50 ${percentile(waits, 0.5).toFixed(0)} ms ` +
      `(goal 300), p99 ${percentile(waits, 0.99).toFixed(0)} ms (goal 1000)`
  )
  await database.end()
  await deployment.stop()
}

/** Adds leaves that no journal has, with true nodes, behind the leaves that are there. */
const fillLog = async (database, wanted) => {
  const { rows } = await database.query("select org_id, size::int, edge from attestry.log_tree")
  const [{ org_id, size: from, edge: bytes }] = rows
  let edge = MerkleTree.readEdge(from, bytes)
  for (let size = from; size < wanted; size += BATCH) {
    const leaves = Array.from({ length: Math.min(BATCH, wanted - size) }, () => randomBytes(32))
    const grown = MerkleTree.append(edge, leaves)
    edge = grown.edge
    await database.query(
      `insert into attestry.log_leaf (org_id, epoch, leaf_index, sequence, hash, salt)
        select $1, 1, $2::int8 + i - 1, -($2::int8 + i), h, h from unnest($3::bytea[]) with ordinality u (h, i)`,
      [org_id, size, leaves]
    )
    await database.query(
      `insert into attestry.log_node (org_id, epoch, level, node_index, hash)
        select $1, 1, l, n, h from unnest($2::int2[], $3::int8[], $4::bytea[]) u (l, n, h)`,
      [org_id, ...["level", "index", "hash"].map((part) => grown.nodes.map((node) => node[part]))]
    )
  }
  await database.query("update attestry.log_tree set size = $1, edge = $2", [
    edge.size,
    Buffer.from(MerkleTree.printEdge(edge))
  ])
  await database.query("analyze attestry.log_leaf")
}

/** 6 and 7: proofs, tiles and bundles of a large log, against a read of one flow. */
const reads = async () => {
  const deployment = await startDeployment()
  const database = await prepare(deployment)
  await drive(deployment.port, {
    count: 2_000,
    connections: 16,
    next: poster(deployment, "artifact")
  })
  await caughtUp(database)
  await fillLog(database, LEAVES)
  const get = (path) => ({
    method: "GET",
    path: `/api/v2${path}`,
    headers: deployment.headers,
    body: Buffer.alloc(0)
  })
  const index = () => Math.floor(Math.random() * LEAVES)
  const tile = () => String(Math.floor(Math.random() * 900)).padStart(3, "0")
  const cost = (next) => async () => {
    const before = cpuOf(deployment)
    await drive(deployment.port, { count: POSTS, connections: 4, next })
    const [node, postgres] = cpuOf(deployment).map(
      (at, part) => ((at - before[part]) / POSTS) * 1_000_000
    )
    return { total: node + postgres, node, postgres }
  }
  const side = (next) => ({
    warmUp: () => drive(deployment.port, { count: WARM_UP, connections: 4, next }),
    cost: cost(next)
  })
  const point = side(() => get("/flows/bench/build"))
  for (const [name, goal, next] of [
    ["6 inclusion proof", 1 / 5, () => get(`/log/bench/proofs/inclusion?index=${index()}`)],
    ["7 full tile", 1 / 1.5, () => get(`/log/bench/tile/0/${tile()}`)],
    ["7 entry bundle", 1 / 10, () => get("/log/bench/tile/entries/000")]
  ]) {
    await compare({
      name: `log ${name} at ${LEAVES} leaves`,
      goal,
      unit: "µs CPU/GET",
      subject: side(next),
      baseline: point
    })
  }
  const waits = []
  for (let sample = 0; sample < 1_000; sample++) {
    const started = performance.now()
    await deployment.send(get(`/log/bench/proofs/inclusion?index=${index()}`))
    waits.push(performance.now() - started)
  }
  say(
    `log 6 inclusion proof at ${LEAVES} leaves: p50 ${percentile(waits, 0.5).toFixed(1)} ms (goal 3), ` +
      `p99 ${percentile(waits, 0.99).toFixed(1)} ms (goal 10)`
  )
  await database.end()
  await deployment.stop()
}

/** Runs the benchmark; number 12 is `unchanged-report`. */
export const run = async () => {
  const only = process.env.BENCH_PART
  if (only === undefined || only === "writes") await writes()
  if (only === undefined || only === "sequencing") await sequencing()
  if (only === undefined || only === "freshness") await freshness()
  if (only === undefined || only === "reads") await reads()
}
