/** Coverage: semantics 7.4, against a plain model; the suite of environments by enforced policies has law CONTROL-4. */
import * as ControlCoverage from "@attestry/core/ControlCoverage"
import { EnvironmentName, PolicyName } from "@attestry/core/Identifier"
import { assert, describe, it } from "@effect/vitest"
import { consumingEnvironments, policyNames } from "../../testing/arbitrary/Control.js"
import * as Model from "../../testing/internal/model/ControlModel.js"

const environment = (name: string, ...policies: ReadonlyArray<string>) => ({
  name: EnvironmentName.make(name),
  policies: policies.map((policy) => PolicyName.make(policy))
})
const naming = [PolicyName.make("prod"), PolicyName.make("audit")]

describe("ControlCoverage", () => {
  it("names the attached policies that name the control, and keeps totals and order", () => {
    const items = [
      environment("Alpha"),
      environment("beta", "base"),
      { ...environment("prod", "prod", "base", "audit", "prod"), warning: naming.slice(1) }
    ]
    assert.deepStrictEqual(
      ControlCoverage.report({ total: 9, covered: 3, environments: { items, total: 7 } }, naming),
      {
        total: 9,
        covered: 3,
        coverage_percent: 33.3,
        environments: {
          items: [
            { name: EnvironmentName.make("Alpha"), covered: false, policies: [] },
            { name: EnvironmentName.make("beta"), covered: false, policies: [] },
            {
              name: EnvironmentName.make("prod"),
              covered: true,
              policies: [PolicyName.make("audit"), PolicyName.make("prod")],
              warning_policies: [PolicyName.make("audit")]
            }
          ],
          total: 7
        }
      }
    )
  })

  it("rounds half up to one decimal, and 0 of 0 is 0", () => {
    const cases: ReadonlyArray<readonly [number, number, number]> = [
      [0, 0, 0],
      [0, 7, 0],
      [7, 7, 100],
      [1, 3, 33.3],
      [2, 3, 66.7],
      [1, 8, 12.5],
      // Exactly half of a tenth: 0.05, 0.15 and 0.35 of a percent.
      [1, 2_000, 0.1],
      [3, 2_000, 0.2],
      [7, 2_000, 0.4],
      [1, 2_001, 0],
      [1_999, 2_000, 100],
      [1_997, 2_000, 99.9]
    ]
    for (const [covered, total, percent] of cases)
      assert.strictEqual(ControlCoverage.percentOf(covered, total), percent, `${covered}/${total}`)
  })

  it.prop(
    "agrees with the model",
    { environments: consumingEnvironments, naming: policyNames },
    ({ environments: items, naming }) => {
      const { environments: listed } = ControlCoverage.report(
        { total: items.length, covered: 0, environments: { items, total: items.length } },
        naming
      )
      assert.deepStrictEqual(
        Object.fromEntries(listed.items.map(({ name, policies }) => [name, policies])),
        Model.coverage(items, naming)
      )
      assert.deepStrictEqual(
        listed.items.map(({ name }) => name),
        items.map(({ name }) => name)
      )
      for (const { covered, policies } of listed.items)
        assert.strictEqual(covered, policies.length > 0)
    }
  )
})
