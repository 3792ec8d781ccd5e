/** The benchmarks of the evidence log share a deployment with trails, writes, and a log that can be locked. */
import pg from "pg"
import { familyCpuSeconds } from "./cpu.mjs"
import { artifactOf, attestationOf, fillTrails, trailName } from "./evidence.mjs"

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** A connection to the database of a deployment. */
export const connect = async ({ databaseUrl }) => {
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  return database
}

export const prepare = async (deployment) => {
  const database = await connect(deployment)
  await deployment.send(deployment.put("/flows/bench", { name: "build", description: "" }))
  await fillTrails(database, { flowName: "build", count: 2_000 })
  return database
}

/** Writes evidence of one kind, into one trail after the other. */
export const poster = ({ headers }, kind) => {
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
export const hold = async (deployment) => {
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

const count = async (database, text) => (await database.query(text)).rows[0].count

const countWritten = (database) =>
  count(database, "select count(*)::int as count from attestry.journal")

/** WHY by the sizes alone: counting the journal while leaves are made would be part of what they cost. */
const countLeaves = (database) =>
  count(database, "select coalesce(sum(size), 0)::int as count from attestry.log_tree")

/** How many entries have no leaf yet. */
export const pending = async (database) =>
  (await countWritten(database)) - (await countLeaves(database))

/** Waits until everything that was written has its leaf. */
export const caughtUp = async (database) => {
  const written = await countWritten(database)
  while ((await countLeaves(database)) < written) await sleep(50)
}

/** What a piece of work of so many requests cost, in microseconds for each. */
export const cpuPer = async (deployment, count, work) => {
  const before = cpuOf(deployment)
  await work()
  const [node, postgres] = cpuOf(deployment).map(
    (at, part) => ((at - before[part]) / count) * 1_000_000
  )
  return { total: node + postgres, node, postgres }
}
