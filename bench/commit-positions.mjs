/**
 * Benchmark 28: what commit positions cost a POST of evidence, against a database that draws none. Compared is the CPU
 * time of the server and of PostgreSQL.
 */
import pg from "pg"
import { compare } from "./lib/compare.mjs"
import { familyCpuSeconds } from "./lib/cpu.mjs"
import { startDeployment } from "./lib/deployment.mjs"
import { artifactOf, attestationOf, fillTrails, trailName } from "./lib/evidence.mjs"
import { drive } from "./lib/load.mjs"

/** WHY so many: the compiler works on the paths of a POST for its first seven thousand. */
const WARM_UP = Number(process.env.BENCH_WARM_UP ?? 10_000)
const COUNT = Number(process.env.BENCH_POSTS ?? 2_000)
/** Rounds of `compare`, of both kinds of evidence, and the warm-up of each. */
const TRAILS = 2 * (WARM_UP + 6 * COUNT)

const connected = async ({ databaseUrl }) => {
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  await database.query("set search_path to attestry, pg_temp")
  return database
}

/** A deployment with trails. */
const prepare = async ({ env, ...options } = {}) => {
  // WHY no scrub: it would report each trail that no request has begun as damage.
  const deployment = await startDeployment({
    ...options,
    env: { ATTESTRY_SCRUB_RATE: "0", ...env }
  })
  const { put, send } = deployment
  const database = await connected(deployment)
  await send(put("/flows/bench", { name: "build", description: "" }))
  await fillTrails(database, { flowName: "build", count: TRAILS })
  let sent = 0
  const posted = (kind) => () => {
    const index = sent++
    const trail = trailName(index % TRAILS)
    const [path, body] =
      kind === "artifact"
        ? ["/artifacts/bench/build", artifactOf(trail, index)]
        : [`/attestations/bench/build/trail/${trail}/generic`, attestationOf(index)]
    return { ...put(path, body), method: "POST" }
  }
  return {
    ...deployment,
    database,
    post: (kind, count) => drive(deployment.port, { count, connections: 16, next: posted(kind) }),
    stop: async () => {
      await database.end()
      await deployment.stop()
    }
  }
}

/** One side of a comparison: the CPU time of a piece of work, in microseconds. */
const side = ({ server, databasePid }, { warmUp, count, work }) => ({
  warmUp: () => work(warmUp),
  cost: async () => {
    const cpu = () => [familyCpuSeconds([server.pid]), familyCpuSeconds([databasePid])]
    const before = cpu()
    await work(count)
    const [node, postgres] = cpu().map((at, part) => ((at - before[part]) / count) * 1_000_000)
    return { total: node + postgres, node, postgres }
  }
})

const comparePosts = async (name, goal, { subject, baseline }) => {
  for (const kind of ["attestation", "artifact"]) {
    const of = (deployment) =>
      side(deployment, {
        warmUp: WARM_UP,
        count: COUNT,
        work: (count) => deployment.post(kind, count)
      })
    await compare({
      name: `28 ${kind} POST ${name}`,
      goal: 1 / goal,
      unit: "µs CPU/POST",
      subject: of(subject),
      baseline: of(baseline)
    })
  }
}

/** Makes a database draw no commit positions for events of trails. */
const withoutPositions = async ({ database }) => {
  const { rows } = await database.query(
    "select pg_get_functiondef('invalidate_running(text, jsonb)'::regprocedure) as text"
  )
  const marks = /if events <> '\[\]' then(?=\s+number := )/
  if (!marks.test(rows[0].text)) throw new Error("invalidate_running has another form")
  await database.query(rows[0].text.replace(marks, "if false then"))
}

const posts = async () => {
  const [subject, baseline] = [await prepare(), await prepare()]
  try {
    await withoutPositions(baseline)
    await comparePosts("with commit positions against without", 1.04, { subject, baseline })
    const marked = async ({ database }) =>
      Number((await database.query("select count(*) as n from trail_event")).rows[0].n)
    const [some, none] = [await marked(subject), await marked(baseline)]
    if (some === 0 || none !== 0)
      throw new Error(`${some} and ${none} events have commit positions`)
  } finally {
    await subject.stop()
    await baseline.stop()
  }
}

/** Runs the benchmark. */
export const run = async () => {
  await posts()
}
