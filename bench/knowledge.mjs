/**
 * Benchmark 28: what it costs to write down what was known when, and where artifacts ran.
 *
 * `posts` reports evidence to a server, and to one whose database draws no number and marks no event of a trail:
 * everything else is the same. `older` reports evidence, and reports that replace 5 of 500 artifacts, to this server and
 * to the one of the commit before there were exposures and numbers, each on a database that it made; that server is
 * taken from the history of the repository, and everything that has changed since then is in the figures. Cost is CPU
 * time of server and PostgreSQL, and bytes that transactions write to the log.
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { compare } from "./lib/compare.mjs"
import { familyCpuSeconds } from "./lib/cpu.mjs"
import { startDeployment } from "./lib/deployment.mjs"
import { artifactOf, attestationOf, fillTrails, trailName } from "./lib/evidence.mjs"
import { podsReport, versionAt } from "./lib/history.mjs"
import { line } from "./lib/http.mjs"
import { drive } from "./lib/load.mjs"
import { walOf } from "./lib/wal.mjs"

/** WHY so many: the compiler works on the paths of a POST for its first seven thousand. */
const WARM_UP = Number(process.env.BENCH_WARM_UP ?? 10_000)
const COUNT = Number(process.env.BENCH_POSTS ?? 2_000)
const REPORTS = Number(process.env.BENCH_REPORTS ?? 200)
/** Rounds of `compare`, of both kinds of evidence, and the warm-up of each. */
const TRAILS = 2 * (WARM_UP + 6 * COUNT)

const connected = async ({ databaseUrl }) => {
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  await database.query("set search_path to attestry, pg_temp")
  return database
}

/** A deployment with trails, and an environment that reports. */
const prepare = async ({ env, ...options } = {}) => {
  // WHY no scrub: trails that no request has begun are told as damage, one by one.
  const deployment = await startDeployment({
    ...options,
    env: { ATTESTRY_SCRUB_RATE: "0", ...env }
  })
  const { put, send } = deployment
  const database = await connected(deployment)
  await send(put("/flows/bench", { name: "build", description: "" }))
  await send(put("/environments/bench", { name: "prod", type: "K8S" }))
  await fillTrails(database, { flowName: "build", count: TRAILS })
  let [sent, reported] = [0, 0]
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
    report: async (count) => {
      for (let last = reported + count; reported < last; reported++)
        await send(put("/environments/bench/prod/report/K8S", podsReport(versionAt(reported + 1))))
    },
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

/** Lets a database write no numbers for events of trails. */
const withoutNumbers = async ({ database }) => {
  const { rows } = await database.query(
    "select pg_get_functiondef('mark_running(text, jsonb)'::regprocedure) as text"
  )
  const marks = /if events <> '\[\]' then(?=\s+number := )/
  if (!marks.test(rows[0].text)) throw new Error("mark_running has another form")
  await database.query(rows[0].text.replace(marks, "if false then"))
}

const posts = async () => {
  const [subject, baseline] = [await prepare(), await prepare()]
  try {
    await withoutNumbers(baseline)
    await comparePosts("with numbers against without", 1.04, { subject, baseline })
    const marked = async ({ database }) =>
      Number((await database.query("select count(*) as n from trail_knowledge")).rows[0].n)
    const [some, none] = [await marked(subject), await marked(baseline)]
    if (some === 0 || none !== 0) throw new Error(`${some} and ${none} events have numbers`)
  } finally {
    await subject.stop()
    await baseline.stop()
  }
}

const compareReports = async ({ subject, baseline }) => {
  const of = (deployment) =>
    side(deployment, {
      warmUp: Math.min(WARM_UP, 2_000),
      count: REPORTS,
      work: (count) => deployment.report(count)
    })
  await compare({
    name: "28 report that replaces 5 of 500, against the release before",
    goal: 1 / 1.05,
    unit: "µs CPU/report",
    subject: of(subject),
    baseline: of(baseline)
  })
  const bytes = []
  for (const deployment of [subject, baseline]) {
    bytes.push((await walOf(deployment.database, () => deployment.report(REPORTS))) / REPORTS)
  }
  const [ours, before] = bytes
  line(
    "28 bytes of the log for such a report, against the release before",
    `${ours.toFixed(0)}; before: ${before.toFixed(0)}; ratio ${(ours / before).toFixed(2)}`,
    { goal: 1.05, isReached: ours / before <= 1.05 }
  )
}

const older = async () => {
  const folder = mkdtempSync(join(tmpdir(), "attestry-bench-"))
  const script = join(import.meta.dirname, "../scripts/older-server.mjs")
  try {
    const { status, stderr } = spawnSync(process.execPath, [script, folder], { encoding: "utf8" })
    if (status === 3) {
      process.stdout.write("28 against the release before: this copy has no history\n")
      return
    }
    if (status !== 0) throw new Error(stderr)
    const before = { main: join(folder, "server.mjs"), env: { ATTESTRY_WEB: "off" } }
    const [subject, baseline] = [await prepare(), await prepare(before)]
    try {
      await compareReports({ subject, baseline })
      await comparePosts("against the release before", 1.04, { subject, baseline })
    } finally {
      await subject.stop()
      await baseline.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs the benchmark. */
export const run = async () => {
  const only = process.env.BENCH_PART
  if (only === undefined || only === "posts") await posts()
  if (only === undefined || only === "older") await older()
}
