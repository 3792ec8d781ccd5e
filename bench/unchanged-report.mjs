/**
 * Benchmark 1: a report that says byte for byte what the last one said.
 *
 * Cost is the CPU time of the serving process and of PostgreSQL per request, over 16 connections.
 */
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { compare } from "./lib/compare.mjs"
import { familyCpuSeconds } from "./lib/cpu.mjs"
import { drive } from "./lib/load.mjs"
import { pidIn, startPostgres } from "./lib/postgres.mjs"
import { startProcess } from "./lib/process.mjs"

const CONNECTIONS = 16
const WARM_UP = 1_500

/** Artifacts in a report, requests in a round, and the ratio to reach. */
const sizes = [
  { artifacts: 10, count: 4_000, goal: 0.5 },
  { artifacts: 500, count: 2_000, goal: 0.5 },
  { artifacts: 5_000, count: 600, goal: 0.4 }
]

const bodyOf = (artifacts) =>
  Buffer.from(
    JSON.stringify({
      artifacts: Array.from({ length: artifacts }, (_, index) => ({
        app_kind: "web",
        app_name: `service-${index}`,
        creationTimestamp: 1_790_000_000 + index,
        digests: {
          [`registry.example.org/team/service-${index}:1.${index}`]: index
            .toString(16)
            .padStart(64, "0")
        },
        digests_source: "registry"
      }))
    })
  )

const clusterOf = (dataDir) => {
  const isCluster = (folder) => readdirSync(folder).includes("postmaster.pid")
  return isCluster(dataDir)
    ? dataDir
    : join(
        dataDir,
        readdirSync(dataDir).find((name) => {
          try {
            return isCluster(join(dataDir, name))
          } catch {
            return false
          }
        })
      )
}

/** Runs the benchmark and gives its lines. */
export const run = async () => {
  const postgres = await startPostgres()
  const database = pidIn(clusterOf(postgres.dataDir))
  const server = await startProcess(
    ["--max-semi-space-size=64", join(import.meta.dirname, "../packages/server/dist/main.js")],
    {
      env: {
        ATTESTRY_STORE: "postgres",
        ATTESTRY_DATABASE_URL: postgres.url,
        ATTESTRY_PORT: "0",
        ATTESTRY_BOOTSTRAP_ORG: "bench",
        ATTESTRY_LOG_LEVEL: "warning"
      },
      ready: /ready at http:\/\/127\.0\.0\.1:(\d+)[\s\S]*API key +(\S+)[\s\S]*builds of my service/
    }
  )
  const floor = await startProcess([join(import.meta.dirname, "servers/floor.mjs")], {
    env: { DATABASE_URL: postgres.url },
    ready: /listening on (\d+)/
  })
  const [, port, key] = server.match
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }

  const side = ({ pid, match }, { count, next }) => {
    const load = (requests) => drive(match[1], { count: requests, connections: CONNECTIONS, next })
    return {
      warmUp: () => load(WARM_UP),
      cost: async () => {
        const before = [familyCpuSeconds([pid]), familyCpuSeconds([database])]
        await load(count)
        const after = [familyCpuSeconds([pid]), familyCpuSeconds([database])]
        const [own, shared] = after.map(
          (seconds, part) => ((seconds - before[part]) / count) * 1_000_000
        )
        return { total: own + shared, node: own, postgres: shared }
      }
    }
  }

  const results = []
  for (const { artifacts, count, goal } of sizes) {
    const environment = `env-${artifacts}`
    const body = bodyOf(artifacts)
    const put = (path, content) => ({ method: "PUT", path, headers, body: content })
    const create = Buffer.from(JSON.stringify({ name: environment, type: "cloudx-apps" }))
    const report = put(`/api/v2/environments/bench/${environment}/report/cloudx-apps`, body)
    await drive(port, {
      count: 1,
      connections: 1,
      next: () => put("/api/v2/environments/bench", create)
    })
    await drive(port, { count: 1, connections: 1, next: () => report })
    results.push(
      await compare({
        name: `1 unchanged report, ${artifacts} artifacts`,
        goal,
        unit: "µs CPU/request",
        subject: side(server, { count, next: () => report }),
        baseline: side(floor, {
          count,
          next: () => ({ method: "PUT", path: `/${environment}`, headers: {}, body })
        })
      })
    )
  }
  await server.stop()
  await floor.stop()
  await postgres.stop()
  return results
}
