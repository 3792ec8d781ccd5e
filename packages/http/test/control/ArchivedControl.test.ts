/** POL-26: archiving a control that policies require changes no verdict. */
import { assert, it } from "vitest"
import { policyYaml } from "../policy/Policies.js"
import { policyEnvironment, type ShownSnapshot } from "../policy/PolicyEnvironment.js"
import { c1, E, evidenceOf, F } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"

const UNDECIDED = "d".repeat(64)

/** The rows of a snapshot, without their changes since the previous one. */
const verdicts = ({ applied_policies, artifacts, compliant }: ShownSnapshot) => ({
  compliant,
  applied_policies,
  rows: artifacts.map(({ annotation: _, ...row }) => row)
})

onEveryStore("POL-26: archiving a control", (server) => {
  const { call } = server
  const { attach, count, create, detach, policy, report, snapshot } = policyEnvironment(
    server,
    "gate"
  )
  const { artifact, attest } = evidenceOf(server, "built")
  const path = { identifier: "CTL-9" }
  const archive = () => call("POST /controls/{org}/{identifier}/archive", { path })
  const unarchive = () => call("POST /controls/{org}/{identifier}/unarchive", { path })
  const decide = (artifact_fingerprint: string, is_compliant: boolean) =>
    attest("t", "system", {
      attestation_name: "approval",
      artifact_fingerprint,
      type_name: "decision",
      control: "CTL-9",
      attestation_data: { is_compliant }
    })
  const running = [["app", F] as const, ["job", E] as const, ["web", UNDECIDED] as const]
  const compliance = async () =>
    new Map((await snapshot()).artifacts.map(({ name, compliant }) => [name, compliant]))

  it("changes no row, reason or policy, and creates no snapshot", async () => {
    await call("POST /controls/{org}", { body: { identifier: "CTL-9", name: "n" } })
    await policy(
      "gated",
      policyYaml("  attestations:\n    - { type: decision, for_control: CTL-9 }\n")
    )
    await create()
    await attach("gated")
    for (const [slot, fingerprint] of running) await artifact("t", slot, fingerprint, c1)
    await decide(F, true)
    await decide(E, false)
    await report(...running)
    assert.deepStrictEqual(
      await compliance(),
      new Map([
        ["app", true],
        ["job", false],
        ["web", false]
      ])
    )
    const before = { count: await count(), snapshot: await snapshot() }
    for (const change of [archive, unarchive, archive]) {
      assert.strictEqual((await change()).status, 200)
      await report(...running)
      assert.deepStrictEqual({ count: await count(), snapshot: await snapshot() }, before)
    }
  })

  it("evaluates the archived control again in a new evaluation", async () => {
    const before = verdicts(await snapshot())
    await detach("gated")
    await attach("gated")
    assert.deepStrictEqual(verdicts(await snapshot()), before)
  })

  it("accepts decisions about it", async () => {
    await decide(E, true)
    await decide(F, false)
    await report(...running)
    assert.deepStrictEqual(
      await compliance(),
      new Map([
        ["app", false],
        ["job", true],
        ["web", false]
      ])
    )
  })
})
