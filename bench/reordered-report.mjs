/** Benchmark 2: a report that says what the last one said, in another order each time. */
import { join } from "node:path"
import { compare } from "./lib/compare.mjs"
import { familyCpuSeconds } from "./lib/cpu.mjs"
import { artifactsOf, reportOf, startDeployment } from "./lib/deployment.mjs"
import { drive } from "./lib/load.mjs"
import { startProcess } from "./lib/process.mjs"

const CONNECTIONS = 16
const ORDERS = 8

/** Artifacts in a report, requests before and in a round, and the ratio to reach. */
const sizes = [
  { artifacts: 10, warmUp: 1_500, count: 3_000, goal: 0.5 },
  { artifacts: 500, warmUp: 400, count: 600, goal: 0.8 },
  { artifacts: 5_000, warmUp: 60, count: 80, goal: 1 }
]

const rotated = (list, by) => [...list.slice(by), ...list.slice(0, by)]

/** Runs the benchmark and gives its lines. */
export const run = async () => {
  const deployment = await startDeployment()
  const floor = await startProcess([join(import.meta.dirname, "servers/reading-floor.mjs")], {
    env: { DATABASE_URL: deployment.databaseUrl },
    ready: /listening on (\d+)/
  })
  const side = ({ pid, match }, { warmUp, count, next }) => {
    const load = (requests) => drive(match[1], { count: requests, connections: CONNECTIONS, next })
    const cpu = () => [familyCpuSeconds([pid]), familyCpuSeconds([deployment.databasePid])]
    return {
      warmUp: () => load(warmUp),
      cost: async () => {
        const before = cpu()
        await load(count)
        const [node, postgres] = cpu().map(
          (seconds, part) => ((seconds - before[part]) / count) * 1_000_000
        )
        return { total: node + postgres, node, postgres }
      }
    }
  }
  const results = []
  for (const { artifacts, goal, ...amount } of sizes) {
    const environment = `env-${artifacts}`
    const list = artifactsOf(artifacts)
    const bodies = Array.from({ length: ORDERS }, (_, order) =>
      reportOf(rotated(list, Math.floor((order * artifacts) / ORDERS) + 1))
    )
    await deployment.send(
      deployment.put("/environments/bench", { name: environment, type: "cloudx-apps" })
    )
    const report = (body) =>
      deployment.put(`/environments/bench/${environment}/report/cloudx-apps`, body)
    // The first order is remembered; it is never sent again, so no body is known by its bytes.
    await deployment.send(report(reportOf(list)))
    const requests = bodies.map(report)
    results.push(
      await compare({
        name: `2 reordered report, ${artifacts} artifacts`,
        goal,
        unit: "µs CPU/request",
        subject: side(deployment.server, { ...amount, next: (n) => requests[n % ORDERS] }),
        baseline: side(floor, {
          ...amount,
          next: (n) => ({
            method: "PUT",
            path: `/${environment}`,
            headers: {},
            body: bodies[n % ORDERS]
          })
        })
      })
    )
  }
  await floor.stop()
  await deployment.stop()
  return results
}
