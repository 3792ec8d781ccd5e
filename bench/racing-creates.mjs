/**
 * Benchmark 8: 32 callers that create one thing at once, against 32 that create a thing each.
 *
 * Nobody may be refused, and colliding may cost at most three times as much. Time is by the clock, because
 * those that lose a race wait.
 */
import { compare } from "./lib/compare.mjs"
import { startDeployment } from "./lib/deployment.mjs"
import { artifactOf } from "./lib/evidence.mjs"
import { drive } from "./lib/load.mjs"

const CALLERS = 32
const RACES = Number(process.env.BENCH_RACES ?? 20)

/** What one of many callers sends: `key` says which thing it creates. */
const requests = ({ put, headers }) => ({
  "PUT flow": (key) => put("/flows/bench", { name: `flow-${key}`, description: "" }),
  "PUT trail": (key) => put("/trails/bench/raced", { name: `trail-${key}` }),
  "POST artifact": (key) => ({
    method: "POST",
    path: "/api/v2/artifacts/bench/raced",
    headers,
    body: Buffer.from(JSON.stringify(artifactOf(`run-${key}`, Number(key.replace(/\D/g, "")))))
  })
})

/** Runs the benchmark; `drive` fails on any answer that is no success. */
export const run = async () => {
  const deployment = await startDeployment()
  await deployment.send(deployment.put("/flows/bench", { name: "raced", description: "" }))
  for (const [what, make] of Object.entries(requests(deployment))) {
    let round = 0
    const side = (keyOf) => {
      const race = async () => {
        const started = round++
        await drive(deployment.port, {
          count: CALLERS,
          connections: CALLERS,
          next: (caller) => make(keyOf(started, caller))
        })
      }
      return {
        warmUp: async () => {
          for (let index = 0; index < RACES; index++) await race()
        },
        cost: async () => {
          const began = performance.now()
          for (let index = 0; index < RACES; index++) await race()
          return ((performance.now() - began) * 1_000) / (RACES * CALLERS)
        }
      }
    }
    await compare({
      name: `8 ${what}, ${CALLERS} callers with one key against a key each`,
      goal: 0.3,
      unit: "µs/request",
      subject: side((started) => `1${started}`),
      baseline: side((started, caller) => `2${started}${String(caller).padStart(3, "0")}`)
    })
  }
  await deployment.stop()
}
