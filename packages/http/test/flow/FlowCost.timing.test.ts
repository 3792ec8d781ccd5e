/** Reading one flow, and the first deployments, costs about as much after a long history as a point read. */
import { assert, beforeAll, it } from "vitest"
import { onBothStores } from "../shared/TestServer.js"

const REPORTS = 120
const ROWS = 20

/** How often each read is measured, in turns. */
const SAMPLES = 20

/** A read costs so many times a point read at most, and more where both are within the noise. */
const TIMES_MAX = 5
const NOISE_MS = 15

const fingerprintOf = (index: number) => (index + 1).toString(16).padStart(64, "0")

onBothStores("GET /flows/{org}/{flow_name}, after a long history", ({ call, org }) => {
  const flow_name = "shop"

  /** What runs: one of two generations, so that every report deploys all. */
  const report = (generation: number) => ({
    artifacts: Array.from({ length: ROWS }, (_, index) => ({
      digests: { [`service-${index}`]: fingerprintOf(generation * ROWS + index) },
      creationTimestamp: 1_790_000_000
    }))
  })

  beforeAll(async () => {
    await call("PUT /flows/{org}", { body: { name: flow_name, description: "" } })
    await call("PUT /trails/{org}/{flow_name}", { path: { flow_name }, body: { name: "build" } })
    for (let index = 0; index < 2 * ROWS; index++)
      await call("POST /artifacts/{org}/{flow_name}", {
        path: { flow_name },
        body: {
          fingerprint: fingerprintOf(index),
          filename: `service-${index}`,
          build_url: "https://ci.example.org/1",
          commit_url: "https://git.example.org/1",
          git_commit: "c".repeat(40),
          trail_name: "build",
          template_reference_name: `slot-${index % ROWS}`
        }
      })
    await call("PUT /environments/{org}", { body: { name: "prod", type: "server" } })
    for (let index = 0; index < REPORTS; index++)
      await call("PUT /environments/{org}/{env_name}/report/server", {
        path: { env_name: "prod" },
        body: report(index % 2)
      })
  }, 600_000)

  it("costs about what a point read costs", { timeout: 120_000 }, async () => {
    const reads: { readonly [name: string]: () => ReturnType<typeof call> } = {
      point: () => call("GET /environments/{org}/{env_name}", { path: { org, env_name: "prod" } }),
      flow: () => call("GET /flows/{org}/{flow_name}", { path: { org, flow_name } }),
      deployments: () => call("GET /deployments/{org}", { path: { org } })
    }
    const least: { [name: string]: number } = {}
    for (let sample = 0; sample < SAMPLES; sample++)
      for (const [name, read] of Object.entries(reads)) {
        const began = performance.now()
        const { status } = await read()
        least[name] = Math.min(least[name] ?? Number.POSITIVE_INFINITY, performance.now() - began)
        assert.strictEqual(status, 200)
      }
    process.stdout.write(`${JSON.stringify(least)}\n`)
    const { point = 0, flow = 0, deployments = 0 } = least
    const limit = Math.max(TIMES_MAX * point, NOISE_MS)
    assert.isAtMost(flow, limit)
    assert.isAtMost(deployments, 4 * limit)
  })
})
