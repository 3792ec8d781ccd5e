/** The effect of a draft: rows by two decisions, and their sums. */
import type { Facts } from "@attestry/core/PolicyFacts"
import * as FastCheck from "effect/FastCheck"
import { assert, describe, it } from "vitest"
import * as BlastRadius from "../../app/policy/BlastRadius.js"

const facts: Facts = { artifact: { name: "a", fingerprint: "" }, flows: [] }
const evaluated = FastCheck.record({
  before: FastCheck.constantFrom(true, false, null),
  now: FastCheck.boolean(),
  reasons: FastCheck.constant([])
})

describe("the blast radius", () => {
  it("has each row in one count", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(evaluated), (rows) => {
        const given = rows.map(() => ({ facts, environment: undefined, isAllowed: false }))
        const tried = BlastRadius.tried(given, rows)
        const counts = BlastRadius.countsOf(tried)
        const sum = Object.values(counts).reduce((total, count) => total + count, 0)
        assert.strictEqual(sum, rows.length)
        const { starting, stopping } = BlastRadius.effectOf("e", tried)
        assert.deepStrictEqual(
          [starting, stopping],
          [counts["starts-failing"], counts["starts-passing"]]
        )
      })
    )
  })

  it("counts allowed rows apart, and nothing where the draft decided nothing", () => {
    const row = { facts, environment: undefined, reasons: [] }
    const rows = [
      { ...row, isAllowed: true, before: true, now: false, change: "starts-failing" as const },
      { ...row, isAllowed: false, before: true, now: null, change: undefined }
    ]
    assert.deepStrictEqual(BlastRadius.effectOf("e", rows), {
      environment: "e",
      rows: 2,
      starting: 0,
      stopping: 0,
      allowed: 1
    })
    assert.isUndefined(BlastRadius.changeOf({ before: true, now: null }))
  })

  it("is said in one sentence", () => {
    const effect = { environment: "e", rows: 3, starting: 1, stopping: 0, allowed: 0 }
    assert.include(BlastRadius.summaryOf([]), "No environment uses this policy")
    assert.include(BlastRadius.summaryOf([{ ...effect, starting: 0 }]), "No row of 1 environment")
    assert.strictEqual(
      BlastRadius.summaryOf([effect, { ...effect, stopping: 2 }]),
      "2 rows would start failing and 2 would stop failing in 2 environments, with today's evidence."
    )
  })
})
