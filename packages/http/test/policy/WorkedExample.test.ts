/** The worked example of `semantics` 4 on the wire: one environment from its first report to its last. */
import { assert, it } from "vitest"
import { E, evidenceOf, F } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"
import { annotations, NEEDS_PROVENANCE, policyEnvironment } from "./PolicyEnvironment.js"

onEveryStore("the life of an environment", (server) => {
  it("has the snapshots, verdicts and annotations of the example", async () => {
    const prod = policyEnvironment(server, "prod")
    const build = evidenceOf(server, "build")
    await prod.create()
    await prod.policy("needs-prov", NEEDS_PROVENANCE)
    await build.artifact("t1", "shop", F, "c1".repeat(20))
    const latest = async () => {
      const { state } = await prod.state()
      const snapshot = await prod.snapshot()
      return [snapshot.index, state, annotations(snapshot)] as const
    }

    await prod.report()
    assert.deepStrictEqual(await latest(), [1, null, []])
    await prod.report(["shop", F, 1])
    assert.deepStrictEqual(await latest(), [2, null, ["shop started-unknown"]])
    await prod.report(["shop", F, 1, 2, 3])
    await prod.report(["shop", F, 4, 5, 6])
    assert.strictEqual((await latest())[0], 2)
    await prod.attach("needs-prov")
    assert.deepStrictEqual(await latest(), [3, true, ["shop became-compliant"]])
    await prod.report(["shop", F], ["mystery", E])
    assert.deepStrictEqual(await latest(), [
      4,
      false,
      ["mystery started-non-compliant", "shop unchanged"]
    ])
    await prod.allow(E)
    assert.deepStrictEqual(await latest(), [
      5,
      true,
      ["mystery became-compliant", "shop unchanged"]
    ])
    await prod.report(["mystery", E], ["shop", F])
    assert.strictEqual((await latest())[0], 5)
    await evidenceOf(server, "release").artifact("t1", "shop", F, "c1".repeat(20))
    assert.strictEqual((await latest())[0], 5)
    await prod.report(["shop", F], ["mystery", E])
    assert.deepStrictEqual(await latest(), [
      6,
      true,
      ["mystery unchanged", "shop updated-provenance"]
    ])
    await prod.report(["mystery", E])
    assert.deepStrictEqual(await latest(), [7, true, ["mystery unchanged", "shop exited"]])
    await prod.report()
    assert.deepStrictEqual(await latest(), [8, true, ["mystery exited"]])
    await prod.detach("needs-prov")
    assert.deepStrictEqual(await latest(), [9, null, []])
  })
})
