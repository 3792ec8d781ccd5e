/** Failing rows of a policy: added up by rule, kept apart by environment, and only of the version that is shown. */
import { assert, describe, it } from "vitest"
import { failuresOf } from "../../app/policy/PolicyFailures.js"
import { ruleOf } from "../fixture/Rows.js"

const rule = (rule_index: number | null, rows_failing: number, policy_version = 3) =>
  ruleOf({ policy_name: "strict", policy_version, rule_index, rows_failing })

const STRICT = { name: "strict", version: 3 }

describe("failing rows of a policy", () => {
  it("are added up by rule and listed by environment, without rules that hold", () => {
    const { byRule, byEnvironment, byOtherVersion } = failuresOf(STRICT, [
      ["prod-eu", { rules: [rule(2, 1), rule(0, 4), rule(1, 0)] }],
      ["prod-us", { rules: [rule(2, 2)] }]
    ])
    assert.deepStrictEqual(
      [...byRule],
      [
        [0, 4],
        [2, 3]
      ]
    )
    assert.deepStrictEqual(byEnvironment.get("prod-eu"), [
      { index: 0, number: 1, rows: 4 },
      { index: 2, number: 3, rows: 1 }
    ])
    assert.strictEqual(byOtherVersion.size, 0)
  })

  it("leave out other policies, and a policy that could not be evaluated has no rule", () => {
    const others = ruleOf({
      policy_name: "other",
      policy_version: 3,
      rule_index: 0,
      rows_failing: 9
    })
    const { byRule, byEnvironment } = failuresOf(STRICT, [
      ["prod-eu", { rules: [others, rule(null, 5)] }]
    ])
    assert.strictEqual(byRule.size, 0)
    assert.deepStrictEqual(byEnvironment.get("prod-eu"), [])
  })

  it("are not counted if another version evaluated, whose rules differ", () => {
    const { byRule, byEnvironment, byOtherVersion } = failuresOf(STRICT, [
      ["prod-eu", { rules: [rule(1, 7, 2)] }]
    ])
    assert.strictEqual(byRule.size, 0)
    assert.isUndefined(byEnvironment.get("prod-eu"))
    assert.strictEqual(byOtherVersion.get("prod-eu"), 2)
  })
})
