/** Policies of logical environments. */
import { assert, it } from "vitest"
import { c1, E, evidenceOf, F } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"
import { policyYaml } from "./Policies.js"
import { NEEDS_PROVENANCE, policyEnvironment } from "./PolicyEnvironment.js"

onEveryStore("policies of a logical environment", (server) => {
  const { call } = server
  const group = async (name: string, ...included_environments: ReadonlyArray<string>) => {
    await call("PUT /environments/{org}", {
      body: { name, type: "logical", included_environments }
    })
    return policyEnvironment(server, name)
  }

  it("evaluates the rows of members, and takes the minimum of both verdicts", async () => {
    const member = policyEnvironment(server, "m1")
    await member.create()
    await member.report(["x", E])
    const all = await group("g1", "m1")
    await member.policy("none", policyYaml("  provenance:\n    required: false\n"))
    await member.policy("prov", NEEDS_PROVENANCE)
    await member.attach("none")
    assert.strictEqual((await all.state()).state, true)
    const before = await all.count()
    await all.attach("prov")
    const { applied_policies, artifacts, compliant } = await all.snapshot()
    assert.strictEqual(await all.count(), before + 1)
    assert.deepStrictEqual([compliant, (await all.state()).state], [false, false])
    assert.deepStrictEqual(
      applied_policies.map(({ failing_artifacts, name }) => [name, failing_artifacts]),
      [["prov", [E]]]
    )
    assert.deepStrictEqual(
      artifacts.map(({ compliant, environment, policy_decisions }) => [
        environment,
        compliant,
        policy_decisions.map(({ policy_name }) => policy_name)
      ]),
      [["m1", true, ["none"]]]
    )
    assert.strictEqual((await member.state()).state, true)
    await all.detach("prov")
    assert.strictEqual((await all.state()).state, true)
  })

  it("counts allowed artifacts of a member as compliant", async () => {
    const member = policyEnvironment(server, "m2")
    await member.create({ require_provenance: true })
    await member.report(["x", E])
    await member.allow(E)
    const all = await group("g2", "m2")
    await member.policy("prov", NEEDS_PROVENANCE)
    await all.attach("prov")
    assert.strictEqual((await all.state()).state, true)
  })

  it("is evaluated at once for the allow-list of a member, also where the member's verdict stays", async () => {
    const member = policyEnvironment(server, "m5")
    await member.create()
    await member.report(["x", E])
    await member.policy("none", policyYaml("  provenance:\n    required: false\n"))
    await member.policy("prov", NEEDS_PROVENANCE)
    await member.attach("none")
    const all = await group("g5", "m5")
    await all.attach("prov")
    assert.strictEqual((await all.state()).state, false)
    const before = [await all.count(), await member.count()]
    await member.allow(E)
    assert.strictEqual((await all.state()).state, true)
    await member.disallow(E)
    assert.strictEqual((await all.state()).state, false)
    assert.deepStrictEqual(
      [await all.count(), await member.count()],
      [(before[0] ?? 0) + 2, before[1]]
    )
  })

  it("is evaluated at once for a new version, and for evidence with a member's next report", async () => {
    const member = policyEnvironment(server, "m3")
    const flow = evidenceOf(server, "grouped")
    await member.create()
    await flow.artifact("t1", "api", F, c1)
    await member.report(["api", F])
    const all = await group("g3", "m3")
    await member.policy("grouped", NEEDS_PROVENANCE)
    await all.attach("grouped")
    // WHY Unknown: the member has no policy and is Unknown, which is the minimum.
    assert.strictEqual((await all.state()).state, null)
    await member.policy("grouped", policyYaml("  attestations:\n    - {type: generic, name: ok}\n"))
    assert.strictEqual((await all.state()).state, false)
    const before = [await all.count(), await member.count()]
    await flow.generic("t1", "ok", true)
    await member.report(["api", F])
    assert.strictEqual((await all.state()).state, null)
    assert.deepStrictEqual(
      [await all.count(), await member.count()],
      [(before[0] ?? 0) + 1, before[1]]
    )
    await member.report(["api", F])
    assert.strictEqual(await all.count(), (before[0] ?? 0) + 1)
  })

  it("is Unknown without a snapshot of any member, and creates none", async () => {
    const all = await group("g4")
    await all.policy("grouped-4", NEEDS_PROVENANCE)
    await all.attach("grouped-4")
    assert.strictEqual((await all.state()).state, null)
  })
})
