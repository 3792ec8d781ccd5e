/** The order, the counts and the filter of the overview. */
import { assert, describe, it } from "vitest"
import * as EnvironmentOrder from "../../app/environment/EnvironmentOrder.js"
import type { Environment } from "../../app/shared/Contract.js"
import { environmentOf } from "../fixture/Environments.js"

const NOW = Date.UTC(2026, 10, 16)

const environment = (name: string, state: boolean | null, hoursAgo: number | null): Environment =>
  environmentOf(name, {
    state,
    last_reported_at: hoursAgo === null ? null : NOW / 1_000 - hoursAgo * 3_600
  })

const all = [
  environment("green", true, 1),
  environment("silent", true, 25),
  environment("new", null, null),
  environment("red-b", false, 1),
  environment("red-a", false, 48)
]

describe("environments", () => {
  it("are ordered by what needs attention, then by name", () => {
    assert.deepStrictEqual(
      EnvironmentOrder.ordered(all, NOW).map(({ name }) => name),
      ["red-a", "red-b", "silent", "new", "green"]
    )
  })

  it("are quiet after a day without a report; those that never reported are not", () => {
    assert.isFalse(EnvironmentOrder.isQuiet(environment("e", true, 24), NOW))
    assert.isTrue(EnvironmentOrder.isQuiet(environment("e", true, 24.01), NOW))
    assert.isFalse(EnvironmentOrder.isQuiet(environment("e", true, null), NOW))
    assert.isFalse(EnvironmentOrder.isQuiet({ type: "logical", last_reported_at: 1 }, NOW))
  })

  it("are counted by verdict and filtered by text and verdict", () => {
    assert.deepStrictEqual(EnvironmentOrder.countsOf(all), {
      "non-compliant": 2,
      unknown: 1,
      compliant: 2
    })
    const names = (q: string | undefined, verdict: string | undefined) =>
      EnvironmentOrder.filtered(all, { q, verdict }).map(({ name }) => name)
    assert.deepStrictEqual(names(" RED", undefined), ["red-b", "red-a"])
    assert.deepStrictEqual(names("docker", "compliant"), ["green", "silent"])
    assert.deepStrictEqual(names("x", undefined), [])
  })
})
