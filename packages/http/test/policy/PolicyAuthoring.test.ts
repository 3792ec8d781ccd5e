/** Questions about policies that are being written, on the wire. SPEC §4.6 */
import { assert, it } from "vitest"
import { c1, E, evidenceOf, F } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"
import { policyYaml } from "./Policies.js"
import { policyEnvironment } from "./PolicyEnvironment.js"

const UNIT = policyYaml("  attestations:\n    - { type: generic, name: unit }\n")
const UNIT_AND_SCAN = policyYaml(
  "  attestations:\n    - { type: generic, name: unit }\n    - { type: snyk, name: scan }\n"
)
const TESTS = `tests:
  - name: without a unit test it is refused
    flows: { build: {} }
    expect: NON-COMPLIANT
  - name: wrong
    flows: { build: {} }
    expect: COMPLIANT
`

interface Remarks {
  readonly remarks: ReadonlyArray<{ code: string; line: number; column: number; severity: string }>
}

onEveryStore("writing policies", (server) => {
  const { call } = server
  const ask = async (what: "lint" | "test" | "compare" | "suggest", body: object) =>
    call(`POST /policies/{org}/${what}`, { body })
  const answer = async <A>(what: "lint" | "test" | "compare" | "suggest", body: object) => {
    const { body: found, status } = await ask(what, body)
    assert.strictEqual(status, 200, JSON.stringify(found))
    return found as A
  }
  const codes = ({ remarks }: Remarks) =>
    remarks.map(({ code, column, line }) => `${code} ${line}:${column}`)

  it("POST /lint names mistakes with their places, by the text and by what the org has", async () => {
    const text = policyYaml(
      `  attestations:\n    - { type: generic, if: '\${{ flow.name == "biuld" }}' }\n    - { type: "custom:nope" }\n`
    )
    await evidenceOf(server, "build").artifact("t1", "api", F, c1)
    assert.deepStrictEqual(codes(await answer("lint", { policy_yaml: text })), [
      "unknown_flow 4:24",
      "unknown_custom_type 5:9"
    ])
  })

  it("POST /lint looks at what runs where a named policy is attached", async () => {
    const flow = evidenceOf(server, "lint-flow")
    await flow.artifact("t1", "api", E, c1)
    const env = policyEnvironment(server, "lint-env")
    await env.policy("lint-policy", UNIT_AND_SCAN)
    await env.create({ policies: ["lint-policy"] })
    const before = codes(await answer("lint", { policy_name: "lint-policy" }))
    assert.notInclude(before.join(), "rule_always_fails")
    await env.report(["api", E])
    const after = codes(await answer("lint", { policy_name: "lint-policy" }))
    assert.include(after.join(), "rule_always_fails")
    assert.deepStrictEqual(
      codes(await answer("lint", { policy_name: "lint-policy", environments: [] })),
      before
    )
  })

  it("POST /test runs tests, and answers 200 if some fail", async () => {
    const run = await answer<{ passed: number; failed: number; coverage: object }>("test", {
      policy_yaml: UNIT,
      tests_yaml: TESTS
    })
    assert.deepStrictEqual([run.passed, run.failed], [1, 1])
    assert.deepStrictEqual(run.coverage, {
      rules: [{ rule_index: 2, rule: "attestation generic unit", applied: 2, passed: 0, failed: 2 }]
    })
  })

  it("POST /test takes the policy that the tests name", async () => {
    await policyEnvironment(server, "none").policy("tested", UNIT)
    const named = await answer<{ passed: number }>("test", {
      tests_yaml: `policy: tested\n${TESTS}`
    })
    assert.strictEqual(named.passed, 1)
    assert.strictEqual((await ask("test", { tests_yaml: TESTS })).status, 400)
    assert.strictEqual((await ask("test", { tests_yaml: `policy: nope\n${TESTS}` })).status, 404)
    assert.strictEqual((await ask("test", { tests_yaml: `policy: "no pe"\n${TESTS}` })).status, 404)
  })

  it("POST /compare says stronger or weaker with facts that show it, also of stored versions", async () => {
    const env = policyEnvironment(server, "none")
    await env.policy("compared", UNIT)
    await env.policy("compared", UNIT_AND_SCAN)
    const version = (number: number) => ({ policy_name: "compared", version: number })
    const stronger = await answer<Record<string, unknown>>("compare", {
      old: version(1),
      new: version(2)
    })
    assert.strictEqual(stronger.relation, "stronger")
    assert.isNull(stronger.accepted_by_new_only)
    assert.hasAllKeys(stronger.accepted_by_old_only, ["facts", "reasons"])
    const weaker = await answer<Record<string, unknown>>("compare", {
      old: { policy_name: "compared" },
      new: { policy_yaml: UNIT }
    })
    assert.strictEqual(weaker.relation, "weaker")
    assert.strictEqual((await ask("compare", { old: version(9), new: version(1) })).status, 404)
  })

  it("POST /suggest gives a policy that all that runs satisfies", async () => {
    const flow = evidenceOf(server, "suggest-flow")
    const [one, two] = ["1".repeat(64), "2".repeat(64)]
    await flow.artifact("t1", "api", one, c1)
    await flow.artifact("t2", "api", two, c1)
    await flow.generic("t1", "unit", true)
    await flow.generic("t2", "unit", true)
    const env = policyEnvironment(server, "suggest-env")
    await env.create()
    assert.strictEqual((await ask("suggest", { environments: ["suggest-env"] })).status, 404)
    await env.report(["api", one], ["web", two])
    const found = await answer<{ policy_yaml: string; rules: ReadonlyArray<{ rule: string }> }>(
      "suggest",
      { environments: ["suggest-env"], min_artifacts: 2 }
    )
    assert.include(
      found.rules.map(({ rule }) => rule),
      "attestation generic unit"
    )
    const saved = await env.policy("suggested", found.policy_yaml)
    assert.strictEqual(saved.status, 201)
    assert.strictEqual((await ask("suggest", { environments: ["nowhere"] })).status, 404)
  })

  it("POST /suggest with days asks for nothing that an artifact of late would fail", async () => {
    const flow = evidenceOf(server, "past-flow")
    const [old, next] = ["3".repeat(64), "4".repeat(64)]
    await flow.artifact("t1", "api", old, c1)
    await flow.artifact("t2", "api", next, c1)
    await flow.generic("t2", "unit", true)
    const env = policyEnvironment(server, "past-env")
    await env.create()
    await env.report(["api", old])
    await env.report(["api", next])
    const rulesOf = async (more: object) => {
      const body = { environments: ["past-env"], min_artifacts: 1, ...more }
      const found = await answer<{ rules: ReadonlyArray<{ rule: string; artifacts: number }> }>(
        "suggest",
        body
      )
      return found.rules.map(({ rule }) => rule)
    }
    assert.include(await rulesOf({}), "attestation generic unit")
    for (const days of [1, 366])
      assert.notInclude(await rulesOf({ days }), "attestation generic unit")
    await call("PUT /environments/{org}", {
      body: { name: "past-all", type: "logical", included_environments: ["past-env"] }
    })
    const rules = await rulesOf({ environments: ["past-all"], days: 7 })
    assert.notInclude(rules, "attestation generic unit")
    assert.isNotEmpty(rules)
    const environments = ["past-env"]
    for (const body of [
      { environments, days: 0 },
      { environments, days: 367 },
      { environments, days: 1, snapshot: "~0" }
    ]) {
      const { body: found, status } = await ask("suggest", body)
      assert.strictEqual(status, 400, JSON.stringify(found))
      assert.include(JSON.stringify(found), "days")
    }
    assert.strictEqual((await ask("suggest", { environments: ["nowhere"], days: 1 })).status, 404)
  })

  it("looks at 5,000 running artifacts, and refuses one more", { timeout: 120_000 }, async () => {
    const env = policyEnvironment(server, "crowd")
    await env.create()
    const rows = (count: number): ReadonlyArray<[string, string]> =>
      Array.from({ length: count }, (_, index) => [
        `a${index}`,
        index.toString(16).padStart(64, "0")
      ])
    const asked = { environments: ["crowd"] }
    await env.report(...rows(5_000))
    assert.strictEqual((await ask("lint", { policy_yaml: UNIT, ...asked })).status, 200)
    assert.strictEqual((await ask("suggest", asked)).status, 200)
    await env.report(...rows(5_001))
    for (const [what, body] of [
      ["lint", { policy_yaml: UNIT, ...asked }],
      ["suggest", asked]
    ] as const) {
      const { body: found, status } = await ask(what, body)
      assert.strictEqual(status, 400)
      assert.match(
        (found as { errors: { environments: string } }).errors.environments,
        /^more than 5000 artifacts run in these environments: name fewer of them/
      )
    }
  })

  it("refuses a policy that is given twice, not at all, or that is none, and names the field", async () => {
    const errors = async (what: "lint" | "test" | "compare" | "suggest", body: object) => {
      const { body: found, status } = await ask(what, body)
      assert.strictEqual(status, 400, JSON.stringify(found))
      return Object.keys((found as { errors: object }).errors)
    }
    assert.deepStrictEqual(await errors("lint", {}), ["policy_yaml"])
    assert.deepStrictEqual(await errors("lint", { policy_yaml: UNIT, policy_name: "p" }), [
      "policy_yaml"
    ])
    assert.deepStrictEqual(await errors("lint", { version: 1 }), ["policy_name"])
    assert.deepStrictEqual(await errors("lint", { policy_yaml: "a: 1\n" }), ["a", "policy_yaml"])
    assert.deepStrictEqual(await errors("compare", { old: {}, new: { policy_yaml: UNIT } }), [
      "old.policy_yaml"
    ])
    assert.deepStrictEqual(await errors("test", { policy_yaml: UNIT, tests_yaml: "tests: 7\n" }), [
      "tests"
    ])
    assert.deepStrictEqual(await errors("suggest", { environments: [] }), ["environments"])
    assert.strictEqual((await ask("lint", { policy_name: "nope" })).status, 404)
  })

  it("answers again under the same key, since nothing is stored", async () => {
    const under = (policy_yaml: string) =>
      call("POST /policies/{org}/lint", {
        body: { policy_yaml },
        headers: { "Idempotency-Key": "lint-1" }
      })
    assert.strictEqual((await under(UNIT)).status, 200)
    assert.strictEqual((await under(UNIT_AND_SCAN)).status, 200)
  })
})
