import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Verdict from "../../src/shared/Verdict.js"

const verdict = FastCheck.constantFrom<ReadonlyArray<Verdict.Verdict>[number]>(
  "Compliant",
  "NonCompliant",
  "Unknown"
)

describe("Verdict", () => {
  it.prop(
    "LOGICAL-2: order and repetition do not matter",
    { verdicts: FastCheck.array(verdict) },
    (given) => {
      const worst = Verdict.minimum(given.verdicts)
      assert.strictEqual(Verdict.minimum([...given.verdicts].reverse()), worst)
      assert.strictEqual(Verdict.minimum([...given.verdicts, ...given.verdicts]), worst)
      assert.strictEqual(given.verdicts.length === 0 || given.verdicts.includes(worst), true)
    }
  )

  it("orders NonCompliant before Unknown before Compliant", () => {
    assert.strictEqual(Verdict.min("Compliant", "Unknown"), "Unknown")
    assert.strictEqual(Verdict.min("Unknown", "NonCompliant"), "NonCompliant")
    assert.strictEqual(Verdict.min("Compliant", "NonCompliant"), "NonCompliant")
    assert.strictEqual(Verdict.minimum(["Compliant", "Compliant"]), "Compliant")
  })

  it("is Unknown for no verdicts", () => assert.strictEqual(Verdict.minimum([]), "Unknown"))

  it.each([
    ["Compliant", true, true, "true"],
    ["NonCompliant", false, false, "false"],
    ["Unknown", null, false, "unknown"]
  ] as const)("writes %s as %s, %s and %s", (value, state, boolean, word) =>
    assert.deepStrictEqual(
      [Verdict.toState(value), Verdict.toBoolean(value), Verdict.toWord(value)],
      [state, boolean, word]
    )
  )
})
