/** The same fingerprint in several flows and trails: each flow has one view of it. */
import { assert, it } from "vitest"
import { c1, evidenceOf, F } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"

onEveryStore("one content in several flows", (server) => {
  const { call } = server
  const build = evidenceOf(server, "shop-build")
  const promote = evidenceOf(server, "promote")

  it("follows worked example 1: the newest record of each flow, ordered by the first report of each flow", async () => {
    await build.artifact("9f1c", "shop", F, c1)
    await promote.artifact("rel-43", "shop", F, c1)
    await build.artifact("77aa", "shop", F, c1)
    await build.generic("9f1c", "late", false, { artifact_fingerprint: F })
    await call("PUT /environments/{org}", { body: { name: "views", type: "docker" } })
    await call("PUT /environments/{org}/{env_name}/report/docker", {
      path: { env_name: "views" },
      body: { artifacts: [{ digests: { shop: F }, creationTimestamp: 1 }] }
    })
    const { body } = await call("GET /snapshots/{org}/{env_name}/{snapshot_expression}", {
      path: { env_name: "views", snapshot_expression: "1" }
    })
    const [row] = (body as { artifacts: ReadonlyArray<Record<string, unknown>> }).artifacts
    const flows = row?.flows as ReadonlyArray<Record<string, unknown>>
    assert.deepStrictEqual(
      flows.map(({ flow_name, trail_name, artifact_compliance_in_flow }) => [
        flow_name,
        trail_name,
        artifact_compliance_in_flow
      ]),
      [
        ["shop-build", "77aa", true],
        ["promote", "rel-43", true]
      ]
    )
    assert.strictEqual(row?.flow_name, "shop-build")
    assert.strictEqual((await build.trail("9f1c")).compliance_state, "NON-COMPLIANT")
    assert.strictEqual((await build.trail("77aa")).compliance_state, "COMPLIANT")
  })
})
