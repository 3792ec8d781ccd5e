/** Samples of facts for conditions on components. */
import * as PolicyExpression from "@attestry/core/PolicyExpression"
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { FactSamples } from "../../src/solver/internal/FactSamples.js"

const parsed = (text: string) => Either.getOrThrow(PolicyExpression.parseWhere(text))

describe("FactSamples", () => {
  it.each([
    '"pkg:npm/@a/b" in facts.purls',
    '"pkg:npm/c@2.3.0" in facts.purls',
    '"pkg:npm/c@<2.3.0" in facts.purls',
    'not "pkg:npm/c@>=2" in facts.purls'
  ])("finds facts for %s, and facts without it", (text) => {
    const condition = parsed(text)
    const test = PolicyExpression.compileWhere(condition)
    const samples = new FactSamples()
    const held = samples.find({ holding: [condition], failing: undefined })
    const failed = samples.find({ holding: [], failing: condition })
    assert.strictEqual(test(held ?? null), "True")
    assert.isDefined(failed)
    assert.notStrictEqual(test(failed ?? null), "True")
  })
})
