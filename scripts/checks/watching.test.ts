/** The alerts of Prometheus and the dashboard of Grafana: valid, tested, and about metrics that servers have. */
import { assert, describe, it } from "vitest"
import * as Repository from "./shared/Repository.js"
import * as Watching from "./watching/Watching.js"

it.runIf(Watching.IS_REQUIRED)("finds `promtool`, of Debian's package `prometheus`", () => {
  assert.isFalse(Watching.IS_MISSING)
})

describe.skipIf(Watching.IS_MISSING)("the rules of Prometheus", () => {
  it("are valid", () => {
    const { status, output } = Watching.promtool("check", Watching.RULES)
    assert.strictEqual(status, 0, output)
  })

  it("alert where their tests say, and nowhere else", () => {
    const { status, output } = Watching.promtool("test", Watching.RULES_TEST)
    assert.strictEqual(status, 0, output)
  })
})

describe("metricsIn", () => {
  it.each([
    ["attestry_up", ["attestry_up"]],
    ['max by (job) (rate(attestry_a_total{status=~"5.."}[5m])) > 0.01', ["attestry_a_total"]],
    ["a_b > 0.1 and on (job, instance) c_d", ["a_b", "c_d"]],
    ["time() - min(a_b > 0)", ["a_b"]],
    ["histogram_quantile(0.99, sum by (le) (rate(a_bucket[$__rate_interval])))", ["a_bucket"]]
  ])("reads %s", (expression, names) => {
    assert.deepStrictEqual(Watching.metricsIn(expression), names)
  })
})

describe("alerts and dashboard", () => {
  const alerts = Watching.alerts()

  it("name only metrics that servers have", () => {
    const known = Watching.series()
    assert.isAbove(known.size, 40)
    const expressions = [
      ...alerts.map(({ expression }) => expression),
      ...Watching.dashboardExpressions()
    ]
    assert.isAbove(expressions.length, 30)
    const named = expressions.flatMap(Watching.metricsIn)
    assert.isAtLeast(named.length, expressions.length)
    assert.deepStrictEqual(
      named.filter((name) => !known.has(name)),
      []
    )
  })

  it("belong together: each alert is tested, documented, and named by a panel", () => {
    const names = alerts.map(({ name }) => name)
    assert.isAtLeast(names.length, 8)
    assert.deepStrictEqual([...Watching.testedAlerts()].sort(), [...names].sort())
    const operating = Repository.read("docs/OPERATING.md")
    const described = Watching.dashboard()
      .panels.flatMap(({ description }) => [...description.matchAll(/\bAttestry[A-Z]\w+/g)])
      .map(([name]) => name)
    assert.deepStrictEqual([...described].sort(), [...names].sort())
    assert.deepStrictEqual(
      names.filter((name) => !operating.includes(`| \`${name}\` |`)),
      []
    )
  })

  it("are shown in panels that do not overlap", () => {
    const { panels } = Watching.dashboard()
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`)
    )
    assert.strictEqual(new Set(cells).size, cells.length)
    assert.strictEqual(new Set(panels.map(({ id }) => id)).size, panels.length)
    for (const { title, description, targets } of panels) {
      assert.isNotEmpty(title)
      assert.isNotEmpty(description)
      assert.strictEqual(new Set(targets.map(({ refId }) => refId)).size, targets.length)
    }
  })
})
