/** The difference that a proposal would make, as lines. */
import { assert, describe, it } from "vitest"
import * as Difference from "../../src/proposal/Difference.js"
import * as Style from "../../src/shared/Style.js"

const style = Style.make({ isTerminal: false, isColoured: false, columns: 80, nowMs: 0 })

const lines = (before: unknown, after: unknown) => Difference.lines(before, after, style)

const numbered = (count: number): string =>
  Array.from({ length: count }, (_, at) => `line ${at}`).join("\n")

describe("a difference", () => {
  it("has the members that change, with what is there and what will be there", () => {
    assert.deepStrictEqual(lines({ role: "reader", x: 1 }, { role: "admin", x: 1 }), [
      "- role: reader",
      "+ role: admin"
    ])
    assert.deepStrictEqual(lines({ modes: { a: "warn" } }, { modes: { a: "enforce" } }), [
      '- modes: {"a":"warn"}',
      '+ modes: {"a":"enforce"}'
    ])
    assert.deepStrictEqual(lines(null, { role: "admin", note: "", end: null }), ["+ role: admin"])
  })

  it("does not depend on the order of members, nor take one that is left out for a change", () => {
    const nothing = ["  nothing that is shown changes"]
    assert.deepStrictEqual(lines({ a: 1, b: { c: 1, d: 2 } }, { b: { d: 2, c: 1 }, a: 1 }), nothing)
    assert.deepStrictEqual(lines({ version: 3, text: "a" }, { text: "a" }), nothing)
  })

  it("has the lines of a text that differ, between the first and the last", () => {
    assert.deepStrictEqual(lines({ yaml: "a\nb\nc\nd\n" }, { yaml: "a\nx\ny\nd\n" }), [
      "  yaml:",
      "  … from line 2",
      "- b",
      "- c",
      "+ x",
      "+ y"
    ])
    assert.deepStrictEqual(lines({ yaml: "a\nb\n" }, { yaml: "a\na\nb\n" }), [
      "  yaml:",
      "  … from line 2",
      "+ a"
    ])
  })

  it("compares lists as a whole", () => {
    assert.deepStrictEqual(lines([{ kinds: ["policy"] }], []), ['- [{"kinds":["policy"]}]', "+ []"])
  })

  it("shows as many lines as it may, and says how many more there are", () => {
    const whole = lines(null, { yaml: numbered(Difference.LINES_MAX) })
    assert.lengthOf(whole, Difference.LINES_MAX + 1)
    assert.notInclude(whole.join("\n"), "lines more")
    const cut = lines(null, { yaml: numbered(Difference.LINES_MAX + 1) })
    assert.lengthOf(cut, Difference.LINES_MAX + 2)
    assert.strictEqual(cut.at(-1), "  … 1 lines more")
  })

  it("prints foreign text as text", () => {
    assert.notInclude(lines({ a: "x" }, { a: "\u001b[2J" }).join(""), "\u001b")
  })
})
