/** Controls by environments: cells, totals and order. */

import { EnvironmentName, PolicyName } from "@attestry/core/Identifier"
import { assert, describe, it } from "@effect/vitest"
import * as ControlMatrix from "../../src/control/internal/ControlMatrix.js"

const policy = (name: string) => PolicyName.make(name)
const environment = (
  name: string,
  policies: ReadonlyArray<string>,
  rows: number,
  failing: ReadonlyArray<readonly [string, number]> = []
): ControlMatrix.EvaluatedEnvironment => ({
  name: EnvironmentName.make(name),
  policies: policies.map(policy),
  rows,
  failing: new Map(failing)
})

const asked = {
  identifier: "C-1",
  name: "Review",
  naming: new Map([
    [policy("a"), [2, 4]],
    [policy("b"), [3]]
  ]),
  covered: 2
}

describe("ControlMatrix", () => {
  it("orders environments by name, and has one cell for each", () => {
    const { controls, environments } = ControlMatrix.make([asked], {
      total: 3,
      items: [
        environment("prod", ["b", "a", "other", "a"], 5, [["C-1", 2]]),
        environment("idle", ["a"], 0),
        environment("test", ["other"], 1, [["C-1", 1]])
      ]
    })
    assert.deepStrictEqual(
      environments.map(({ name, rows }) => [name, rows]),
      [
        ["idle", 0],
        ["prod", 5],
        ["test", 1]
      ]
    )
    const [control] = controls
    assert.deepStrictEqual([control?.covered, control?.coverage_percent], [2, 66.7])
    assert.deepStrictEqual(
      control?.cells.map(({ covered, policies, rows_failing }) => [
        covered,
        policies.join(" "),
        rows_failing
      ]),
      [
        [true, "a", null],
        [true, "a b", 2],
        [false, "", null]
      ]
    )
    assert.deepStrictEqual(
      control?.cells[1]?.rules.map(({ policy_name, rule_index }) => `${policy_name}.${rule_index}`),
      ["a.2", "a.4", "b.3"]
    )
  })

  it("holds where something runs and nothing fails, and is empty without environments", () => {
    const held = ControlMatrix.make([asked], {
      total: 4,
      items: [environment("prod", ["a"], 3)]
    })
    assert.strictEqual(held.controls[0]?.cells[0]?.rows_failing, 0)
    assert.deepStrictEqual([held.controls[0]?.total, held.controls[0]?.coverage_percent], [4, 50])
    const none = ControlMatrix.make([{ ...asked, covered: 0 }], { total: 0, items: [] })
    assert.deepStrictEqual([none.controls[0]?.cells, none.controls[0]?.coverage_percent], [[], 0])
  })
})
