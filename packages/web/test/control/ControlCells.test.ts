/** Cells of the matrix of controls, and links of controls as text. */
import { assert, describe, it } from "vitest"
import { GLYPHS, ruleFilterOf, stateOf, wordsOf } from "../../app/control/ControlCells.js"
import * as ControlLinks from "../../app/control/ControlLinks.js"

const rule = { policy_name: "p", rule_index: 3 }
const covered = { covered: true, policies: ["p"], rules: [rule], rows_failing: 0 }
const CELLS = {
  "not-covered": { covered: false, policies: [], rules: [], rows_failing: null },
  "nothing-runs": { ...covered, rows_failing: null },
  holds: covered,
  failing: { ...covered, rows_failing: 2 }
} as const

describe("a cell", () => {
  it("has a state with a glyph and words of its own", () => {
    for (const [state, cell] of Object.entries(CELLS)) assert.strictEqual(stateOf(cell), state)
    assert.strictEqual(new Set(Object.values(GLYPHS)).size, 4)
    const words = Object.values(CELLS).map((cell) => wordsOf(cell, "prod"))
    assert.strictEqual(new Set(words).size, 4)
    assert.include(wordsOf(CELLS.failing, "prod"), "2 rows fail in prod, asked for by p")
    assert.include(wordsOf({ ...covered, rows_failing: 1 }, "prod"), "1 row fails")
  })

  it("leads to the rows of its one rule", () => {
    assert.strictEqual(ruleFilterOf(CELLS.failing), "p.3")
    assert.isUndefined(ruleFilterOf({ ...covered, rules: [rule, rule] }))
    assert.isUndefined(ruleFilterOf(CELLS["not-covered"]))
  })
})

describe("links of a control", () => {
  it("are read from lines, and printed as they were", () => {
    const text = "Rule book https://rules.example.org\nhttps://other.example.org"
    const links = ControlLinks.parse(`${text}\n\n`)
    assert.deepStrictEqual(links, {
      "Rule book": "https://rules.example.org",
      "https://other.example.org": "https://other.example.org"
    })
    assert.strictEqual(ControlLinks.print(links), text)
    assert.deepStrictEqual(ControlLinks.parse(""), {})
  })
})
