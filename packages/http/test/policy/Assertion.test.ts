/** Asserting artifacts on the wire. SPEC §2.24, §3.15 */
import { assert, it } from "vitest"
import { c1, E, evidenceOf, F } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"
import { policyYaml } from "./Policies.js"
import { NEEDS_PROVENANCE, policyEnvironment } from "./PolicyEnvironment.js"

interface Assertion {
  readonly compliant: boolean
  readonly is_allowed?: boolean
  readonly scope: string
  readonly environment?: string
  readonly policy_evaluations?: ReadonlyArray<{
    readonly policy_name: string
    readonly status: string
    readonly rule_evaluations: ReadonlyArray<{
      readonly satisfied: boolean | null
      readonly resolutions: ReadonlyArray<{ readonly type: string }>
    }>
  }>
  readonly reasons_for_incompliance: ReadonlyArray<{
    readonly type: string
    readonly policy_name: string
    readonly description: string
  }>
  readonly flows: ReadonlyArray<{
    readonly flow: string
    readonly trail: string
    readonly compliance_status: {
      readonly status: string
      readonly attestations_statuses: ReadonlyArray<object>
    }
  }>
  readonly html_url: string
}

const NEEDS_UNIT = policyYaml("  attestations:\n    - {type: generic, name: unit}\n")

onEveryStore("GET /asserts/{org}/fingerprint/{fingerprint}", (server) => {
  const { call } = server
  const ask = (query: string, fingerprint = F) =>
    call("GET /asserts/{org}/fingerprint/{fingerprint}", { path: { fingerprint }, query })
  const answer = async (query: string, fingerprint = F) =>
    (await ask(query, fingerprint)).body as Assertion

  it("asserts an artifact against its flows, policies or an environment", async () => {
    const env = policyEnvironment(server, "gate")
    const build = evidenceOf(server, "build")
    const release = evidenceOf(server, "release")
    await build.artifact("t1", "api", F, c1)
    await build.generic("t1", "unit", true)
    await release.artifact("r1", "api", F, c1)
    const byFlows = await answer("")
    assert.deepStrictEqual(
      [byFlows.compliant, byFlows.scope, byFlows.policy_evaluations, byFlows.environment],
      [true, "flow", undefined, undefined]
    )
    assert.deepStrictEqual(
      byFlows.flows.map(({ compliance_status, flow, trail }) => [
        flow,
        trail,
        compliance_status.status
      ]),
      [
        ["build", "t1", "COMPLIANT"],
        ["release", "r1", "COMPLIANT"]
      ]
    )
    assert.match(byFlows.html_url, /\/acme\/flows\/build\/artifacts\/f{64}\?artifact_id=/)

    await env.policy("prov", NEEDS_PROVENANCE)
    await env.policy("unit", NEEDS_UNIT)
    const byPolicies = await answer("?policy_name=unit&policy_name=prov&policy_name=unit")
    assert.deepStrictEqual(
      [byPolicies.compliant, byPolicies.scope, byPolicies.environment],
      [false, "policy", undefined]
    )
    assert.deepStrictEqual(
      byPolicies.policy_evaluations?.map(({ policy_name, status }) => [policy_name, status]),
      [
        ["unit", "NON-COMPLIANT"],
        ["prov", "COMPLIANT"]
      ]
    )
    assert.deepStrictEqual(
      byPolicies.reasons_for_incompliance.map(({ description, type }) => [type, description]),
      [
        [
          "missing_attestation",
          "there is no attestation `unit` of type `generic` in trail `r1` of flow `release`: " +
            "report a compliant one for the artifact or its trail"
        ]
      ]
    )

    await env.create({ policies: ["unit"] })
    const byEnvironment = await answer("?environment_name=gate")
    assert.deepStrictEqual(
      [byEnvironment.compliant, byEnvironment.scope, byEnvironment.environment],
      [false, "environment", "gate"]
    )
    const narrowed = await answer("?environment_name=gate&flow_name=build")
    assert.strictEqual(narrowed.compliant, true)
    assert.deepStrictEqual(
      narrowed.flows.map(({ flow }) => flow),
      ["build"]
    )
    await release.generic("r1", "unit", true)
    assert.strictEqual((await answer("?environment_name=gate")).compliant, true)
  })

  it("POL-27: has the verdict of a snapshot in an environment, its allow-list included", async () => {
    const env = policyEnvironment(server, "same")
    const flow = evidenceOf(server, "same")
    const D = "d".repeat(64)
    await flow.artifact("t1", "api", D, c1)
    await env.policy("same", NEEDS_UNIT)
    await env.create({ policies: ["same"] })
    const agree = async () => {
      await env.report(["api.tar", D])
      const [row] = (await env.snapshot()).artifacts
      const asserted = await answer("?environment_name=same", D)
      assert.strictEqual(asserted.compliant, row?.compliant)
      assert.deepStrictEqual(asserted.policy_evaluations, row?.policy_decisions)
      assert.deepStrictEqual(asserted.reasons_for_incompliance, row?.reasons_for_incompliance)
      return asserted.compliant
    }
    assert.strictEqual(await agree(), false)
    await flow.generic("t1", "unit", true)
    assert.strictEqual(await agree(), true)
    await flow.generic("t1", "unit", false)
    assert.strictEqual(await agree(), false)
    const before = await answer("?environment_name=same", D)
    assert.notProperty(before, "is_allowed")
    await env.allow(D)
    assert.strictEqual(await agree(), true)
    const allowed = await answer("?environment_name=same", D)
    assert.strictEqual(allowed.is_allowed, true)
    assert.deepStrictEqual(allowed.policy_evaluations, before.policy_evaluations)
    assert.strictEqual((await answer("?policy_name=same", D)).compliant, false)
    const then = await answer(`?environment_name=same&as_of=${Date.now() / 1000}`, D)
    assert.deepStrictEqual([then.compliant, then.is_allowed], [true, true])
    await flow.generic("t1", "unit", true)
    assert.notProperty(await answer("?environment_name=same", D), "is_allowed")
  })

  it("evaluates an artifact that no flow knows by policies, and opens for one that is allowed", async () => {
    const env = policyEnvironment(server, "vendor")
    const V = "5".repeat(64)
    await env.create()
    const reasons = async (query: string) => {
      const asserted = await answer(query, V)
      assert.strictEqual(asserted.compliant, false)
      assert.deepStrictEqual(asserted.flows, [])
      assert.match(asserted.html_url, new RegExp(`/acme/artifacts/${V}$`))
      return asserted.reasons_for_incompliance.map(({ type, policy_name }) => [type, policy_name])
    }
    // Without policies the flows decide, and none knows it.
    const unknown = [["missing_provenance", "require_provenance"]]
    assert.deepStrictEqual(await reasons("?environment_name=vendor"), unknown)
    await env.policy("vendor", NEEDS_UNIT)
    await env.attach("vendor")
    const missing = [["missing_attestation", "vendor"]]
    assert.deepStrictEqual(await reasons("?environment_name=vendor"), missing)
    assert.deepStrictEqual(await reasons("?policy_name=vendor"), missing)
    await env.allow(V)
    const allowed = await answer("?environment_name=vendor", V)
    assert.deepStrictEqual([allowed.compliant, allowed.is_allowed], [true, true])
    assert.deepStrictEqual(allowed.reasons_for_incompliance, [])
  })

  it("POL-28: uses the flows where an environment has no policies", async () => {
    const env = policyEnvironment(server, "open")
    const B = "b".repeat(64)
    await env.create()
    const good = evidenceOf(server, "good")
    const bad = evidenceOf(server, "bad")
    await good.artifact("t1", "api", B, c1)
    assert.deepStrictEqual(
      [(await answer("?environment_name=open", B)).compliant, (await answer("", B)).compliant],
      [true, true]
    )
    await bad.artifact("t1", "api", B, c1)
    await bad.generic("t1", "scan", false)
    const fallen = await answer("?environment_name=open", B)
    assert.deepStrictEqual([fallen.compliant, fallen.policy_evaluations], [false, []])
    assert.strictEqual((await answer("", B)).compliant, false)
    assert.strictEqual((await answer("?flow_name=good", B)).compliant, true)
    assert.strictEqual((await answer("?flow_name=bad", B)).compliant, false)
  })

  it("refuses an environment and policies together, and is 404 for unknown ones", async () => {
    const C = "c".repeat(64)
    await evidenceOf(server, "there").artifact("t1", "api", C, c1)
    await policyEnvironment(server, "there").create()
    const both = await ask("?environment_name=there&policy_name=p", C)
    assert.strictEqual(both.status, 400)
    assert.deepStrictEqual(Object.keys((both.body as { errors: object }).errors), [
      "query.policy_name"
    ])
    const message = async (query: string, fingerprint: string) => {
      const { body, status } = await ask(query, fingerprint)
      assert.strictEqual(status, 404)
      return (body as { message: string }).message
    }
    const other = "0".repeat(64)
    assert.strictEqual(
      await message("", other),
      `Artifact with fingerprint '${other}' does not exist in organization 'acme'`
    )
    await evidenceOf(server, "there-2").artifact("t1", "api", E, c1)
    assert.strictEqual(
      await message("?flow_name=there-2", C),
      `Artifact with fingerprint '${C}' does not exist in flow 'there-2' belonging to organization 'acme'`
    )
    assert.match(await message("?flow_name=nowhere", C), /^Flow named 'nowhere'/)
    assert.match(await message("?environment_name=nowhere", C), /^Environment named 'nowhere'/)
    assert.match(await message("?policy_name=nobody", C), /^Policy 'nobody' does not exist/)
    assert.match(await message("?policy_name=", C), /^Policy '' does not exist/)
    assert.strictEqual((await ask("", "f00d")).status, 400)
  })
})
