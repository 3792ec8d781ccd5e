/**
 * Benchmark 21: the cost of notifications for a writer.
 *
 * 32 writers report changed environments to one server. Half of the environments have a subscription to rows that
 * start and exit there, with one target each for Slack and a webhook, so every commit also makes four deliveries.
 * Compared is the time per commit with and without. Nothing is sent during the measurement. A report that is answered
 * with 503, because all connections are taken, is repeated.
 */

import { compare } from "./lib/compare.mjs"
import { artifactsOf, reportOf, startDeployment } from "./lib/deployment.mjs"
import { drive } from "./lib/load.mjs"

const WRITERS = 32
const COUNT = Number(process.env.BENCH_COMMITS ?? 320)
const ARTIFACTS = 10
const GOAL = 0.7

const targets = [
  { type: "CHAT", webhook: "https://chat.example.com/hook" },
  { type: "WEBHOOK", webhook: "https://hooks.example.com/attestry" }
]

/** Writers of environments whose names begin alike; each report differs from the last one in one artifact. */
const sideOf = ({ port, put, send }, prefix) => {
  let reports = 0
  const next = () => {
    const turn = Math.floor(reports / WRITERS)
    const environment = `${prefix}-${reports++ % WRITERS}`
    const artifacts = artifactsOf(ARTIFACTS, (index) => (index === 0 ? turn + 1 : 0))
    return put(`/environments/bench/${environment}/report/cloudx-apps`, reportOf(artifacts))
  }
  const load = () => drive(port, { count: COUNT, connections: WRITERS, next, patient: true })
  return {
    prepare: async () => {
      for (let number = 0; number < WRITERS; number++) {
        await send(
          put("/environments/bench", {
            name: `${prefix}-${number}`,
            type: "cloudx-apps",
            description: ""
          })
        )
      }
    },
    warmUp: load,
    cost: async () => {
      const before = performance.now()
      await load()
      return ((performance.now() - before) / COUNT) * 1_000
    }
  }
}

/** Runs the benchmark. */
export const run = async () => {
  const deployment = await startDeployment()
  const [told, untold] = [sideOf(deployment, "told"), sideOf(deployment, "untold")]
  await told.prepare()
  await untold.prepare()
  await deployment.send(
    deployment.put("/organizations/bench/environments_notifications", {
      name: "everything that moves",
      type: "env",
      environments: Array.from({ length: WRITERS }, (_, number) => `told-${number}`),
      triggers: ["ON_STARTED_ARTIFACT", "ON_EXITED_ARTIFACT"],
      targets
    })
  )
  await compare({
    name: `21 commits with notifications on, ${WRITERS} writers, against off`,
    goal: GOAL,
    unit: "µs/commit",
    subject: told,
    baseline: untold
  })
  await deployment.stop()
}
