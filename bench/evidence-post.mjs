/**
 * Benchmark 7: reporting artifacts and attestations of 2 KB over 1, 16 and 64 connections, each into a
 * trail of its own, against one statement that writes the same through `pg` at the same concurrency.
 *
 * Cost is CPU time of the serving process and of PostgreSQL, the leaves of the log included; POST/s by the clock is
 * printed beside it. The limit writes to a database of its own, because a server makes leaves of all entries of its
 * orgs. The second part reports into 100 trails of an org that has no others, and of one that has 100,000 and in which
 * the 100 lie far apart.
 */
import { join } from "node:path"
import pg from "pg"
import { compare } from "./lib/compare.mjs"
import { startCountingProxy } from "./lib/countingProxy.mjs"
import { familyCpuSeconds } from "./lib/cpu.mjs"
import { startDeployment } from "./lib/deployment.mjs"
import { artifactOf, attestationOf, fillTrails, trailName } from "./lib/evidence.mjs"
import { drive } from "./lib/load.mjs"
import { caughtUp } from "./lib/log.mjs"
import { startProcess } from "./lib/process.mjs"

/** WHY so many: the compiler works on the paths of a POST for its first seven thousand. */
const WARM_UP = 10_000
const COUNT = Number(process.env.BENCH_POSTS ?? 2_000)
const ROUNDS = 6
const TRAILS = 3 * (WARM_UP + ROUNDS * COUNT)
const SMALL = 100
const LARGE = Number(process.env.BENCH_TRAILS ?? 100_000)

/** A way to POST evidence into trails of a flow, the next one each time; `stride` lies between two of them. */
const poster = ({ headers }, kind, { trails, stride = 1 }) => {
  let sent = 0
  const post = (path, body) => ({
    method: "POST",
    path: `/api/v2${path}`,
    headers,
    body: Buffer.from(JSON.stringify(body))
  })
  return () => {
    const index = sent++
    const trail = trailName((index % trails) * stride)
    return kind === "artifact"
      ? post("/artifacts/bench/build", artifactOf(trail, index))
      : post(`/attestations/bench/build/trail/${trail}/generic`, attestationOf(index))
  }
}

/** Runs `work(count)` and gives the CPU time of the processes per piece of work, and its speed. */
const measured = async (pids, database, { count, work }) => {
  const before = [familyCpuSeconds(pids), familyCpuSeconds([database])]
  const started = performance.now()
  await work(count)
  const seconds = (performance.now() - started) / 1_000
  const after = [familyCpuSeconds(pids), familyCpuSeconds([database])]
  const [own, shared] = after.map((at, part) => ((at - before[part]) / count) * 1_000_000)
  return { total: own + shared, node: own, postgres: shared, "per second": count / seconds }
}

const side = (pids, database, work) => ({
  warmUp: () => work(WARM_UP),
  cost: () => measured(pids, database, { count: COUNT, work })
})

const prepare = async (deployment, trails) => {
  const database = new pg.Client({ connectionString: deployment.databaseUrl })
  await database.connect()
  for (const name of ["build", "limit"]) {
    await deployment.send(deployment.put("/flows/bench", { name, description: "" }))
  }
  await fillTrails(database, { flowName: "build", count: trails })
  return database
}

/** One trail of the fixture answers as one that was begun; otherwise the fixture is not worth measuring. */
const sample = async (deployment) => {
  const begun = { name: "begun", git_commit_info: { sha1: "0".repeat(40), branch: "main" } }
  await deployment.send(deployment.put("/trails/bench/build", begun))
  const read = async (name) => {
    const response = await fetch(
      `http://127.0.0.1:${deployment.port}/api/v2/trails/bench/build/${name}`,
      { headers: deployment.headers }
    )
    const { compliance_status, git_commit_info, description, user_data } = await response.json()
    const { evaluated_at: _, ...status } = compliance_status
    return JSON.stringify({ status, git_commit_info, description, user_data })
  }
  const [ours, theirs] = [await read("run-0"), await read("begun")]
  if (ours !== theirs) throw new Error(`the fixture differs:\n${ours}\n${theirs}`)
}

const limitOf = (deployment, kind) =>
  startProcess([join(import.meta.dirname, "servers/one-statement.mjs")], {
    env: { DATABASE_URL: deployment.databaseUrl, KIND: kind },
    ready: /ready to write/
  })

/** A database with trails for the limit; its server is asked for nothing, and makes no leaves. */
const prepareLimit = async () => {
  const deployment = await startDeployment({
    main: join(import.meta.dirname, "servers/without-log-worker.mjs")
  })
  const database = await prepare(deployment, 1)
  await database.query(`insert into attestry.trail (org_id, trail_id, flow_id, name, details, repo_ids,
      created_by, created_at, last_modified_at)
    select org_id, 'limit-' || i, flow_id, 'run-' || i, '{}', '{}', 'bench', 0, 0
    from attestry.flow, generate_series(0, ${TRAILS}) i where name = 'limit'`)
  await database.query("vacuum analyze attestry.trail")
  await database.end()
  return deployment
}

const againstLimit = async () => {
  const deployment = await startDeployment()
  const database = await prepare(deployment, TRAILS)
  const bare = await prepareLimit()
  await sample(deployment)
  for (const kind of ["artifact", "attestation"]) {
    const next = poster(deployment, kind, { trails: TRAILS })
    const limit = await limitOf(bare, kind)
    for (const [connections, goal] of [
      [16, 0.5],
      [1, 0],
      [64, 1]
    ]) {
      await compare({
        name: `7 ${kind} POST, ${connections} connections`,
        goal,
        unit: "µs CPU/POST",
        subject: side([deployment.server.pid], deployment.databasePid, async (count) => {
          await drive(deployment.port, { count, connections, next })
          await caughtUp(database)
        }),
        baseline: side([limit.pid], bare.databasePid, (count) =>
          limit.ask(`${count} ${connections}`)
        )
      })
    }
    await limit.stop()
  }
  await database.end()
  await deployment.stop()
  await bare.stop()
}

const statements = async () => {
  let proxy
  const deployment = await startDeployment({
    through: async (url) => {
      proxy = await startCountingProxy(url)
      return proxy.url
    }
  })
  const database = await prepare(deployment, 100)
  for (const kind of ["artifact", "attestation"]) {
    const next = poster(deployment, kind, { trails: 100 })
    await drive(deployment.port, { count: 20, connections: 1, next })
    const { statements: before, transactions, roundTrips } = { ...proxy.counts }
    await drive(deployment.port, { count: 200, connections: 16, next })
    const per = (now, then) => ((now - then) / 200).toFixed(2)
    process.stdout.write(
      `7 statements per ${kind} POST: ${per(proxy.counts.statements, before)} and ` +
        `${per(proxy.counts.transactions, transactions)} of begin and commit, ` +
        `in ${per(proxy.counts.roundTrips, roundTrips)} round trips\n`
    )
  }
  await database.end()
  await deployment.stop()
  proxy.stop()
}

const withSize = async () => {
  const small = await startDeployment()
  const large = await startDeployment()
  const databases = [await prepare(small, SMALL), await prepare(large, LARGE)]
  await sample(large)
  for (const kind of ["artifact", "attestation"]) {
    const against = (deployment, trails) => {
      const next = poster(deployment, kind, { trails: SMALL, stride: Math.floor(trails / SMALL) })
      return side([deployment.server.pid], deployment.databasePid, (count) =>
        drive(deployment.port, { count, connections: 16, next })
      )
    }
    await compare({
      name: `7 ${kind} POST, org of ${LARGE} trails against one of ${SMALL}`,
      goal: 1 / 1.3,
      unit: "µs CPU/POST",
      subject: against(large, LARGE),
      baseline: against(small, SMALL)
    })
  }
  for (const database of databases) await database.end()
  await small.stop()
  await large.stop()
}

/** Runs the benchmark. */
export const run = async () => {
  const only = process.env.BENCH_PART
  if (only === undefined || only === "statements") await statements()
  if (only === undefined || only === "limit") await againstLimit()
  if (only === undefined || only === "size") await withSize()
}
