/** Remedies of asserted artifacts on the wire. SPEC §3.15, REMEDY-1 */
import { assert, it } from "vitest"
import { c1, c2, E, evidenceOf, F } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"
import { policyYaml } from "./Policies.js"
import { policyEnvironment } from "./PolicyEnvironment.js"

const RULES = policyYaml(
  "  trail-compliance:\n    required: true\n" +
    "  attestations:\n    - {type: generic, name: scan}\n    - {type: generic, name: unit}\n"
)

const TEMPLATE = `version: 1
trail:
  attestations:
    - {name: review, type: generic}
  artifacts:
    - name: api
      attestations:
        - {name: unit, type: generic}
`

interface Remedied {
  readonly compliant: boolean
  readonly remedies?: ReadonlyArray<{
    readonly cost: number
    readonly kind: string
    readonly complete: boolean
    readonly steps: ReadonlyArray<Record<string, unknown>>
  }>
  readonly previous_compliant?: Record<string, unknown> | null
}

onEveryStore("GET /asserts/{org}/fingerprint/{fingerprint}?remedies", (server) => {
  const { call } = server
  const ask = (query: string, fingerprint = F) =>
    call("GET /asserts/{org}/fingerprint/{fingerprint}", { path: { fingerprint }, query })
  const answer = async (query: string, fingerprint = F) => {
    const { body, status } = await ask(query, fingerprint)
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body as Remedied
  }

  it("names the smallest steps, and doing them makes the artifact compliant", async () => {
    const env = policyEnvironment(server, "gate")
    const build = evidenceOf(server, "shop")
    await env.create()
    await env.policy("prod-rules", RULES)
    await env.attach("prod-rules")
    await build.putFlow(TEMPLATE)
    await build.artifact("t1", "api", F, c1)
    await build.generic("t1", "unit", false, { artifact_fingerprint: F })
    const plain = await answer("?environment_name=gate")
    assert.notProperty(plain, "remedies")
    assert.notProperty(plain, "previous_compliant")
    const none = await answer("?environment_name=gate&remedies=0")
    assert.deepStrictEqual([none.remedies, none.previous_compliant], [[], null])
    const asked = await answer("?environment_name=gate&remedies=5")
    const [first, second, third] = asked.remedies ?? []
    assert.deepStrictEqual([first?.kind, first?.complete, first?.cost], ["evidence", true, 9])
    assert.deepStrictEqual(
      first?.steps.map((step) => [step.do, step.attestation_name, step.level]),
      [
        ["attest", "review", "trail"],
        ["attest", "scan", "artifact"],
        ["fix", "unit", "artifact"]
      ]
    )
    assert.deepStrictEqual(
      first?.steps.map((step) => step.command),
      [
        "attestry attest generic '--compliant=<TRUE_OR_FALSE>' --name review --flow shop --trail t1",
        ...["scan", "unit"].map(
          (name) =>
            `attestry attest generic '--compliant=<TRUE_OR_FALSE>' --name ${name} --flow shop ` +
            `--trail t1 --fingerprint ${F}`
        )
      ]
    )
    assert.deepStrictEqual(first?.steps.at(-1)?.settles, [
      { policy_name: "prod-rules", rule_index: 1 },
      { policy_name: "prod-rules", rule_index: 3 }
    ])
    assert.deepStrictEqual(
      [second?.kind, new Set(second?.steps.map((step) => step.do))],
      ["waiver", new Set(["waive"])]
    )
    assert.deepStrictEqual(third?.steps, [
      { do: "allow", environment_name: "gate", fingerprint: F }
    ])
    await build.generic("t1", "review", true)
    await build.generic("t1", "scan", true, { artifact_fingerprint: F })
    assert.isFalse((await answer("?environment_name=gate")).compliant)
    await build.generic("t1", "unit", true, { artifact_fingerprint: F })
    const done = await answer("?environment_name=gate&remedies=5")
    assert.deepStrictEqual([done.compliant, done.remedies], [true, []])
  })

  it("says when evidence usually arrives, after three artifacts that had it", async () => {
    const env = policyEnvironment(server, "usual")
    const build = evidenceOf(server, "usual")
    await env.create()
    await env.policy("usual", policyYaml("  attestations:\n    - {type: generic, name: unit}\n"))
    await env.attach("usual")
    const stepOf = async (fingerprint: string) => {
      const { remedies } = await answer("?environment_name=usual&remedies=1", fingerprint)
      return remedies?.[0]?.steps[0]
    }
    for (const [index, digit] of ["1", "2", "3"].entries()) {
      const earlier = digit.repeat(64)
      await build.artifact(`t${index}`, "api", earlier, c1)
      assert.notProperty(await stepOf(earlier), "usually_after_seconds")
      await build.generic(`t${index}`, "unit", true, { artifact_fingerprint: earlier })
    }
    const next = "4".repeat(64)
    await build.artifact("t4", "api", next, c2)
    const step = await stepOf(next)
    assert.include(["attest", "wait"], step?.do)
    assert.isTrue(Number.isInteger(step?.usually_after_seconds))
    assert.isTrue(Number.isInteger(step?.passed_seconds))
    assert.strictEqual(
      step?.do === "wait",
      Number(step?.passed_seconds) < Number(step?.usually_after_seconds)
    )
  })

  it("names the nearest earlier artifact that is compliant, and when it ran", async () => {
    const env = policyEnvironment(server, "shelf")
    const build = evidenceOf(server, "shelf")
    await env.create()
    await env.policy("shelf", policyYaml("  attestations:\n    - {type: generic, name: unit}\n"))
    await env.attach("shelf")
    await build.artifact("old", "api", E, c1)
    await build.generic("old", "unit", true)
    await build.artifact("other", "worker", "d".repeat(64), c1)
    await build.artifact("new", "api", "a".repeat(64), c2)
    await env.report(["api", E])
    const asked = await answer("?environment_name=shelf&remedies=1", "a".repeat(64))
    assert.deepStrictEqual(
      asked.remedies?.map(({ kind }) => kind),
      ["evidence", "waiver", "allow_list"]
    )
    assert.deepInclude(asked.previous_compliant, {
      fingerprint: E,
      name: "api.tar",
      git_commit: c1
    })
    const ran = asked.previous_compliant?.last_ran as { environment: string; to: number | null }
    assert.deepStrictEqual([ran.environment, ran.to], ["shelf", null])
    await env.report(["api", "a".repeat(64)])
    const later = await answer("?environment_name=shelf&remedies=1", "a".repeat(64))
    const last = later.previous_compliant?.last_ran as typeof ran | undefined
    assert.isNumber(last?.to)
  })

  it("answers without policies by the templates of flows", async () => {
    const build = evidenceOf(server, "template")
    await build.putFlow(TEMPLATE)
    await build.artifact("t1", "api", "9".repeat(64), c1)
    const asked = await answer("?remedies=5&flow_name=template", "9".repeat(64))
    assert.isFalse(asked.compliant)
    assert.deepStrictEqual(
      asked.remedies?.map(({ steps }) => steps.map((step) => step.attestation_name)),
      [["review", "unit"]]
    )
  })

  it("refuses numbers beyond its limits by field", async () => {
    for (const query of ["?remedies=6", "?remedies=-1", "?remedies=x"]) {
      const { body, status } = await ask(query)
      assert.strictEqual(status, 400)
      assert.match(JSON.stringify(body), /remedies/)
    }
  })
})
