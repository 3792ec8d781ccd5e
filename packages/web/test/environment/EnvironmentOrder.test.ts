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

  it("without a cadence are guessed to be silent after a day; those that never reported are not", () => {
    const guessOf = (each: Environment) => EnvironmentOrder.silenceOf(each, NOW)?.isGuess
    assert.isUndefined(guessOf(environment("e", true, 24)))
    assert.isTrue(guessOf(environment("e", true, 24.01)))
    assert.isUndefined(guessOf(environment("e", true, null)))
    assert.isUndefined(guessOf({ ...environment("e", true, 25), type: "logical" }))
  })

  it("with a cadence are silent when the service says so, and not after a day", () => {
    const steady = { ...environment("e", true, 25), report_every: 2_592_000 }
    assert.isUndefined(EnvironmentOrder.silenceOf(steady, NOW))
    const silent = {
      ...environment("e", true, 1),
      report_every: 900,
      silent_since: NOW / 1_000 - 60
    }
    assert.deepStrictEqual(EnvironmentOrder.silenceOf(silent, NOW), {
      isGuess: false,
      sinceMs: NOW - 60_000
    })
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
