/**
 * Benchmark 1: a report that says byte for byte what the last one said.
 *
 * Cost is the CPU time of the serving process and of PostgreSQL per request, over 16 connections.
 */
import { join } from "node:path"
import { compare } from "./lib/compare.mjs"
import { familyCpuSeconds } from "./lib/cpu.mjs"
import { artifactsOf, reportOf, startDeployment } from "./lib/deployment.mjs"
import { drive } from "./lib/load.mjs"
import { startProcess } from "./lib/process.mjs"

const CONNECTIONS = 16
const WARM_UP = 1_500
/** Requests take turns among so many environments: reports that arrive together are not of one and the same. */
const ENVIRONMENTS = 8

/** Artifacts in a report, requests in a round, and the ratio to reach. */
const sizes = [
  { artifacts: 10, count: 4_000, goal: 0.5 },
  { artifacts: 500, count: 2_000, goal: 0.6 },
  { artifacts: 5_000, count: 600, goal: 0.8 }
]

/** Runs the benchmark and gives its lines. */
export const run = async () => {
  const deployment = await startDeployment()
  const { server, databasePid: database, put, send } = deployment
  const floor = await startProcess([join(import.meta.dirname, "servers/floor.mjs")], {
    env: { DATABASE_URL: deployment.databaseUrl },
    ready: /listening on (\d+)/
  })

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
    const body = reportOf(artifactsOf(artifacts))
    const names = Array.from({ length: ENVIRONMENTS }, (_, index) => `env-${artifacts}-${index}`)
    const reports = names.map((name) => put(`/environments/bench/${name}/report/cloudx-apps`, body))
    for (const [index, name] of names.entries()) {
      await send(put("/environments/bench", { name, type: "cloudx-apps" }))
      await send(reports[index])
    }
    results.push(
      await compare({
        name: `1 unchanged report, ${artifacts} artifacts`,
        goal,
        unit: "µs CPU/request",
        subject: side(server, { count, next: (sent) => reports[sent % ENVIRONMENTS] }),
        baseline: side(floor, {
          count,
          next: (sent) => ({
            method: "PUT",
            path: `/${names[sent % ENVIRONMENTS]}`,
            headers: {},
            body
          })
        })
      })
    )
  }
  await floor.stop()
  await deployment.stop()
  return results
}
