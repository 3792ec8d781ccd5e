/** Controls by environments on the wire. SPEC §4.11 */
import { assert, it } from "vitest"
import { policyYaml } from "../policy/Policies.js"
import { policyEnvironment } from "../policy/PolicyEnvironment.js"
import { c1, evidenceOf, F } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"

interface Matrix {
  readonly total_count: number
  readonly per_page: number
  readonly environments: ReadonlyArray<{ readonly name: string; readonly rows: number }>
  readonly controls: ReadonlyArray<{
    readonly identifier: string
    readonly total: number
    readonly covered: number
    readonly coverage_percent: number
    readonly cells: ReadonlyArray<{
      readonly covered: boolean
      readonly policies: ReadonlyArray<string>
      readonly rules: ReadonlyArray<{ readonly policy_name: string; readonly rule_index: number }>
      readonly rows_failing: number | null
    }>
  }>
}

const asking = (...controls: ReadonlyArray<string>) =>
  policyYaml(
    `  attestations:\n${controls.map((control) => `    - {type: decision, for_control: ${control}}\n`).join("")}`
  )

onEveryStore("GET /control-coverage/{org}", (server) => {
  const { call } = server
  const matrix = async (query = "") => {
    const { body, status } = await call("GET /control-coverage/{org}", { query })
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body as Matrix
  }
  const cells = ({ controls }: Matrix) =>
    controls.map(({ cells, identifier }) => [identifier, ...cells.map((cell) => cell.rows_failing)])

  it("is empty without controls and environments", async () => {
    assert.deepInclude(await matrix(), {
      environments: [],
      controls: [],
      total_count: 0,
      per_page: 100
    })
  })

  it("counts running rows that fail a control where a policy asks for it", async () => {
    for (const identifier of ["CTL-1", "CTL-2", "CTL-3"])
      await call("POST /controls/{org}", { body: { identifier, name: identifier } })
    const [prod, test, idle] = ["prod", "test", "idle"].map((name) =>
      policyEnvironment(server, name)
    )
    assert(prod !== undefined && test !== undefined && idle !== undefined)
    await prod.policy("first", asking("CTL-1"))
    await prod.policy("both", asking("CTL-1", "CTL-2"))
    await prod.create({ policies: ["first", "both"] })
    await test.create()
    await idle.create({ policies: ["first"] })
    await prod.report(["api", F], ["other", "e".repeat(64)], ["third", "d".repeat(64)])
    await test.report(["api", F])
    const found = await matrix()
    assert.deepStrictEqual(found.environments, [
      { name: "idle", rows: 0 },
      { name: "prod", rows: 3 },
      { name: "test", rows: 1 }
    ])
    assert.deepStrictEqual(cells(found), [
      ["CTL-1", null, 3, null],
      ["CTL-2", null, 3, null],
      ["CTL-3", null, null, null]
    ])
    const [first, second] = found.controls
    assert.deepStrictEqual(
      first?.cells.map(({ covered, policies }) => [covered, ...policies]),
      [[true, "first"], [true, "both", "first"], [false]]
    )
    assert.deepStrictEqual([first?.covered, first?.coverage_percent], [2, 66.7])
    assert.deepStrictEqual(second?.covered, 1)
    assert.deepStrictEqual(second?.cells[1]?.rules, [{ policy_name: "both", rule_index: 3 }])
    assert.deepStrictEqual(second?.cells[0]?.rules, [])
  })

  it("counts a row no longer when the decision holds, or when it is allowed", async () => {
    const flow = evidenceOf(server, "build")
    await flow.artifact("t1", "api", F, c1)
    const { status } = await flow.attest("t1", "system", {
      attestation_name: "decided",
      type_name: "decision",
      control: "CTL-1",
      attestation_data: { is_compliant: true }
    })
    assert.strictEqual(status, 201)
    const running = [
      ["api", F],
      ["other", "e".repeat(64)],
      ["third", "d".repeat(64)]
    ] as const
    await policyEnvironment(server, "prod").report(...running)
    assert.deepStrictEqual(cells(await matrix("?search=CTL-1")), [["CTL-1", null, 2, null]])
    await policyEnvironment(server, "prod").allow("e".repeat(64))
    assert.deepStrictEqual(cells(await matrix("?search=CTL-1")), [["CTL-1", null, 1, null]])
  })

  it("leaves out logical environments, and has filters and pages of controls", async () => {
    await call("PUT /environments/{org}", {
      body: { name: "all", type: "logical", included_environments: ["prod"] }
    })
    assert.strictEqual((await matrix()).environments.length, 3)
    const paged = await matrix("?per_page=1&page=2")
    assert.deepStrictEqual([cells(paged)[0]?.[0], paged.total_count], ["CTL-2", 3])
    assert.strictEqual((await matrix("?archived=true")).controls.length, 0)
    for (const query of [
      "?per_page=101",
      "?per_page=0",
      "?archived=maybe",
      "?environments_per_page=501",
      "?environments_per_page=0",
      "?environments_page=0"
    ])
      assert.strictEqual((await call("GET /control-coverage/{org}", { query })).status, 400, query)
    assert.strictEqual(
      (
        await call("GET /control-coverage/{org}", {
          query: "?per_page=100&environments_per_page=500"
        })
      ).status,
      200
    )
  })

  it("has pages of environments, and totals of all of them", async () => {
    const whole = await matrix()
    const pages = await Promise.all(
      [1, 2, 3].map((page) => matrix(`?environments_per_page=2&environments_page=${page}`))
    )
    assert.deepStrictEqual(
      pages.map(({ environments }) => environments.map(({ name }) => name)),
      [["idle", "prod"], ["test"], []]
    )
    for (const [at, { cells, ...totals }] of whole.controls.entries()) {
      assert.strictEqual(totals.total, 3)
      const parts = pages.map(({ controls }) => controls[at])
      assert.deepStrictEqual(
        parts.flatMap((part) => part?.cells ?? []),
        cells
      )
      for (const part of parts) assert.deepInclude(part, totals)
    }
  })
})
