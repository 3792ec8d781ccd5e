/** The facts that policies evaluate, on the wire. SPEC §4.5 */
import * as PolicyDocument from "@attestry/core/PolicyDocument"
import * as PolicyEvaluation from "@attestry/core/PolicyEvaluation"
import type { Facts } from "@attestry/core/PolicyFacts"
import * as Either from "effect/Either"
import { assert, it } from "vitest"
import { c1, E, evidenceOf, F } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"
import { policyYaml } from "./Policies.js"
import { policyEnvironment } from "./PolicyEnvironment.js"

interface FactsPage {
  readonly index: number
  readonly page: number
  readonly per_page: number
  readonly total_count: number
  readonly rows: ReadonlyArray<{
    readonly environment?: string
    readonly is_allowed: boolean
    readonly facts: Facts
  }>
}

const NEEDS_UNIT = policyYaml(
  "  provenance: {required: true}\n  attestations:\n    - {type: generic, name: unit}\n"
)

const evaluate = (text: string, facts: Facts) =>
  PolicyEvaluation.evaluate(
    PolicyEvaluation.compile([
      { id: "p", name: "p", version: 1, document: Either.getOrThrow(PolicyDocument.parse(text)) }
    ]),
    facts
  ).policy_decisions.map(({ rule_evaluations, status }) => ({ status, rule_evaluations }))

onEveryStore("facts", (server) => {
  const { call } = server
  const factsOf = (fingerprint: string) =>
    call("GET /facts/{org}/{fingerprint}", { path: { fingerprint } })
  const read = (env_name: string, snapshot_expression = "~0", query = "") =>
    call("GET /snapshots/{org}/{env_name}/{snapshot_expression}/facts", {
      path: { env_name, snapshot_expression },
      query
    })
  const page = async (env_name: string, expression = "~0", query = "") => {
    const { body, status } = await read(env_name, expression, query)
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body as FactsPage
  }

  it("has what each flow knows, with overrides applied and the level of each attestation", async () => {
    const build = evidenceOf(server, "build")
    const release = evidenceOf(server, "release")
    await build.artifact("t1", "api", F, c1)
    await build.generic("t1", "unit", true)
    await build.generic("t1", "scan", false, { artifact_fingerprint: F })
    await release.artifact("r1", "app", F, c1)
    const { body, status } = await factsOf(F)
    assert.strictEqual(status, 200, JSON.stringify(body))
    const facts = body as Facts
    assert.deepStrictEqual(facts.artifact, { name: "api.tar", fingerprint: F })
    assert.deepStrictEqual(
      facts.flows.map(({ flow_name, template_reference_name, trail_name, attestations }) => [
        flow_name,
        trail_name,
        template_reference_name,
        attestations.map(({ control, is_compliant, level, name, type }) => [
          name,
          type,
          is_compliant,
          level,
          control
        ])
      ]),
      [
        [
          "build",
          "t1",
          "api",
          [
            ["scan", "generic", false, "artifact", null],
            ["unit", "generic", true, "trail", null]
          ]
        ],
        ["release", "r1", "app", []]
      ]
    )
  })

  it("gives core the decisions of an assertion and of the next snapshot", async () => {
    const env = policyEnvironment(server, "facts-env")
    await env.policy("unit", NEEDS_UNIT)
    await env.create({ policies: ["unit"] })
    await env.report(["api", F], ["other", E])
    const { artifacts } = await env.snapshot()
    const { rows } = await page("facts-env")
    assert.deepStrictEqual(
      rows.map(({ facts }) => [facts.artifact.name, ...evaluate(NEEDS_UNIT, facts)]),
      artifacts.map(({ name, policy_decisions }) => [
        name,
        ...policy_decisions.map(({ rule_evaluations, status }) => ({ status, rule_evaluations }))
      ])
    )
    const { body } = await call("GET /asserts/{org}/fingerprint/{fingerprint}", {
      path: { fingerprint: F },
      query: "?policy_name=unit"
    })
    const asserted = body as { policy_evaluations: ReadonlyArray<Record<string, unknown>> }
    assert.deepStrictEqual(
      evaluate(NEEDS_UNIT, (await factsOf(F)).body as Facts).map(
        ({ rule_evaluations }) => rule_evaluations
      ),
      asserted.policy_evaluations.map(({ rule_evaluations }) => rule_evaluations)
    )
  })

  it("has current evidence for an earlier snapshot, without rows that exited", async () => {
    const env = policyEnvironment(server, "past")
    const flow = evidenceOf(server, "past")
    const D = "d".repeat(64)
    await flow.artifact("t1", "api", D, c1)
    await env.create()
    await env.report(["api", D], ["old", E])
    await env.report(["api", D])
    await flow.generic("t1", "later", true)
    const names = async (expression: string) =>
      (await page("past", expression)).rows.map(({ facts }) => facts.artifact.name)
    assert.deepStrictEqual(await names("1"), ["api", "old"])
    assert.deepStrictEqual(await names("2"), ["api"])
    const [first] = (await page("past", "1")).rows
    assert.deepStrictEqual(
      first?.facts.flows.flatMap(({ attestations }) => attestations.map(({ name }) => name)),
      ["later"]
    )
  })

  it("marks rows that the allow-list makes compliant, and names the member of a logical one", async () => {
    const env = policyEnvironment(server, "allowing")
    await env.policy("unit", NEEDS_UNIT)
    await env.create({ policies: ["unit"] })
    await env.report(["api", "a".repeat(64)])
    assert.deepStrictEqual(
      (await page("allowing")).rows.map(({ is_allowed }) => is_allowed),
      [false]
    )
    await env.allow("a".repeat(64))
    assert.deepStrictEqual(
      (await page("allowing")).rows.map(({ is_allowed, environment }) => [is_allowed, environment]),
      [[true, undefined]]
    )
    await call("PUT /environments/{org}", {
      body: { name: "all", type: "logical", included_environments: ["allowing"] }
    })
    assert.deepStrictEqual(
      (await page("all")).rows.map(({ is_allowed, environment }) => [is_allowed, environment]),
      [[true, "allowing"]]
    )
  })

  it("has pages of at most 1,000 rows, 100 unless asked", async () => {
    const env = policyEnvironment(server, "paged")
    await env.create()
    await env.report(["one", "1".repeat(64)], ["two", "2".repeat(64)], ["three", "3".repeat(64)])
    const { per_page, total_count } = await page("paged")
    assert.deepStrictEqual([per_page, total_count], [100, 3])
    const second = await page("paged", "~0", "?per_page=2&page=2")
    assert.deepStrictEqual([second.rows.length, second.total_count, second.page], [1, 3, 2])
    assert.strictEqual((await page("paged", "~0", "?page=9")).rows.length, 0)
    assert.strictEqual((await read("paged", "~0", "?per_page=1000")).status, 200)
    for (const query of ["?per_page=0", "?per_page=1001", "?page=0", "?per_page=x"])
      assert.strictEqual((await read("paged", "~0", query)).status, 400, query)
  })

  it("refuses what does not exist", async () => {
    assert.strictEqual((await factsOf("9".repeat(64))).status, 404)
    assert.strictEqual((await factsOf("F".repeat(64))).status, 400)
    assert.strictEqual((await read("nowhere")).status, 404)
    assert.strictEqual((await read("paged", "9")).status, 404)
    assert.strictEqual((await read("paged", "x")).status, 400)
  })
})
