/**
 * 6 and 7: proofs, tiles and bundles of a large evidence log, against a read of one flow.
 *
 * `BENCH_LEAVES` is the size of the log, `BENCH_READS` the number of reads of a round.
 */
import { randomBytes } from "node:crypto"
import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import { compare } from "./lib/compare.mjs"
import { startDeployment } from "./lib/deployment.mjs"
import { line, median, percentile99, timed } from "./lib/http.mjs"
import { drive } from "./lib/load.mjs"
import { caughtUp, cpuPer, poster, prepare } from "./lib/log.mjs"

const LEAVES = Number(process.env.BENCH_LEAVES ?? 1_000_000)
const READS = Number(process.env.BENCH_READS ?? 1_000)
const BATCH = 10_000
const SAMPLES = 1_000
/** Leaves of a tile, and entries of a bundle. */
const TILE = 256

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

/** Reads of one kind, the number of which is given. */
const side = (deployment, next) => {
  const read = (count) => drive(deployment.port, { count, connections: 4, next })
  return { warmUp: () => read(READS), cost: () => cpuPer(deployment, READS, () => read(READS)) }
}

/** How long reads of one kind take, one after another. */
const time = async (name, send, goals) => {
  const waits = []
  for (let sample = 0; sample < SAMPLES; sample++) waits.push(await timed(send))
  const times = [median(waits), percentile99(waits)]
  const text = (values) => values.map((ms) => `${ms} ms`).join(" and ")
  line(name, text(times.map((ms) => ms.toFixed(1))), {
    goal: text(goals),
    isReached: times.every((ms, index) => ms <= goals[index])
  })
}

/** Runs the benchmark. */
export const run = async () => {
  // WHY no scrub: it would report leaves without a journal entry as damage.
  const deployment = await startDeployment({ env: { ATTESTRY_SCRUB_RATE: "0" } })
  const database = await prepare(deployment)
  // A whole bundle needs entries of its own.
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
  const proof = () => get(`/log/bench/proofs/inclusion?index=${Math.floor(Math.random() * LEAVES)}`)
  const tiles = Math.min(1_000, Math.floor(LEAVES / TILE))
  const tile = () =>
    get(`/log/bench/tile/0/${String(Math.floor(Math.random() * tiles)).padStart(3, "0")}`)
  const bundle = () => get("/log/bench/tile/entries/000")
  // Partial bundles are not kept: it is made anew for each reader, as a full one is for its first.
  const made = () => get("/log/bench/tile/entries/000.p/255")
  const point = side(deployment, () => get("/flows/bench/build"))
  for (const [name, goal, next] of [
    ["6 inclusion proof", 1 / 5, proof],
    ["7 full tile", 1 / 1.5, tile],
    ["7 entry bundle", 1 / 10, bundle],
    ["7 entry bundle made anew", 1 / 10, made]
  ]) {
    await compare({
      name: `log ${name} at ${LEAVES} leaves`,
      goal,
      unit: "µs CPU/GET",
      subject: side(deployment, next),
      baseline: point
    })
  }
  for (const [name, next, goals] of [
    ["6 inclusion proof", proof, [3, 10]],
    ["7 entry bundle", bundle, [10, 10]],
    ["7 entry bundle made anew", made, [10, 10]]
  ]) {
    await time(`log ${name} at ${LEAVES} leaves, p50 and p99`, () => deployment.send(next()), goals)
  }
  await database.end()
  await deployment.stop()
}
