/** Coverage: semantics 7.4 and law CONTROL-4, against a plain model. */
import * as ControlCoverage from "@attestry/core/ControlCoverage"
import { EnvironmentName, PolicyName } from "@attestry/core/Identifier"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { consumingEnvironments, policyNames } from "../../testing/arbitrary/Control.js"
import * as Model from "../../testing/internal/model/ControlModel.js"

const everything = { page: 1, perPage: 1_000 }
const filter = FastCheck.record(
  { covered: FastCheck.boolean(), search: FastCheck.constantFrom("", "a", "B", "c-") },
  { requiredKeys: [] }
)

const environment = (name: string, ...policies: ReadonlyArray<string>) => ({
  name: EnvironmentName.make(name),
  policies: policies.map((policy) => PolicyName.make(policy))
})
const naming = [PolicyName.make("prod"), PolicyName.make("audit")]

describe("ControlCoverage", () => {
  it("covers an environment with an attached policy that names the control", () => {
    const environments = [
      environment("prod", "prod", "base", "audit"),
      environment("beta", "base"),
      environment("Alpha")
    ]
    assert.deepStrictEqual(
      ControlCoverage.report(environments, naming, { filter: {}, page: everything }),
      {
        total: 3,
        covered: 1,
        coverage_percent: 33.3,
        environments: {
          items: [
            { name: EnvironmentName.make("Alpha"), covered: false, policies: [] },
            { name: EnvironmentName.make("beta"), covered: false, policies: [] },
            {
              name: EnvironmentName.make("prod"),
              covered: true,
              policies: [PolicyName.make("audit"), PolicyName.make("prod")]
            }
          ],
          total: 3
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
    ({ environments, naming }) => {
      const { environments: listed } = ControlCoverage.report(environments, naming, {
        filter: {},
        page: everything
      })
      assert.deepStrictEqual(
        Object.fromEntries(listed.items.map(({ name, policies }) => [name, policies])),
        Model.coverage(environments, naming)
      )
      assert.deepStrictEqual(
        listed.items.map(({ name }) => name),
        environments.map(({ name }) => name).sort()
      )
      for (const { covered, policies } of listed.items)
        assert.strictEqual(covered, policies.length > 0)
    }
  )

  it.prop(
    "CONTROL-4: 0 <= covered <= total, and filters never change the totals",
    { environments: consumingEnvironments, naming: policyNames, filter },
    ({ environments, naming, filter }) => {
      const page = everything
      const { environments: _, ...all } = ControlCoverage.report(environments, naming, {
        filter: {},
        page
      })
      const { environments: __, ...some } = ControlCoverage.report(environments, naming, {
        filter,
        page: { page: 2, perPage: 1 }
      })
      assert.deepStrictEqual(some, all)
      assert.isTrue(0 <= all.covered && all.covered <= all.total)
      assert.strictEqual(all.total, environments.length)
    }
  )

  it.prop(
    "CONTROL-4: covered and not covered partition the list, and pages add up to it",
    { environments: consumingEnvironments, naming: policyNames, filter },
    ({ environments, naming, filter: { search } }) => {
      const named = search === undefined ? {} : { search }
      const list = (filter: ControlCoverage.CoverageFilter, page = everything) =>
        ControlCoverage.report(environments, naming, { filter, page }).environments.items
      const all = list(named)
      const parts = [...list({ ...named, covered: true }), ...list({ ...named, covered: false })]
      assert.sameDeepMembers(parts, [...all])
      assert.deepStrictEqual(
        all.flatMap((_, index) => list(named, { page: index + 1, perPage: 1 })),
        all
      )
      for (const { name } of all) assert.include(name.toLowerCase(), (search ?? "").toLowerCase())
    }
  )
})
