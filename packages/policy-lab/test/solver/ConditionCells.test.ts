/** The limit of the regions that are looked at for one term, on both sides. */

import * as PolicyExpression from "@attestry/core/PolicyExpression"
import { runSync } from "@attestry/core/Slices"
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { cells, REGIONS_MAX } from "../../src/solver/internal/ConditionCells.js"
import { FormulaBuilder } from "../../src/solver/internal/ConditionFormula.js"
import { Budget } from "../../src/solver/internal/SearchBudget.js"

const TERM = "flow.tags.n"

/** The cells of a tag that is ordered against so many texts and numbers. */
const cellsOf = (texts: number, numbers: number) => {
  const parts = [
    ...Array.from({ length: texts }, (_, index) => `${TERM} > "t${index}"`),
    ...Array.from({ length: numbers }, (_, index) => `${TERM} > ${index}`)
  ]
  const builder = new FormulaBuilder()
  builder.add(Either.getOrThrow(PolicyExpression.parse(parts.join(" or "))))
  const question = { term: TERM, budget: new Budget(), tests: builder.tests, withFlow: true }
  return runSync(cells(question))
}

describe("ConditionCells", () => {
  it("looks at 4,000 regions of a term, and not at more", () => {
    assert.strictEqual(REGIONS_MAX, 4_000)
    // WHY these: 40 gaps between texts, and 100 ranges of numbers.
    assert.isDefined(cellsOf(39, 49))
    assert.isUndefined(cellsOf(40, 49))
  })
})
