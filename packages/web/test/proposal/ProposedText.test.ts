/** The difference that a proposal would make. */
import { assert, describe, it } from "vitest"
import * as ProposedText from "../../app/proposal/ProposedText.js"

const changed = (before: unknown, after: unknown) =>
  ProposedText.diffOf(before, after).hunks.flatMap(({ lines }) =>
    lines.filter(({ kind }) => kind !== "same").map(({ kind, text }) => `${kind} ${text}`)
  )

describe("a text of a value", () => {
  it("has members by name, lists, and texts of several lines below their names", () => {
    assert.strictEqual(
      ProposedText.print({ yaml: "a: 1\nb: 2\n", n: null, list: ["x", { y: 1, z: [] }], e: "" }),
      'e: ""\nlist:\n  - x\n  - y: 1\n    z: none\nn: none\nyaml:\n  a: 1\n  b: 2'
    )
  })
})

describe("a difference", () => {
  it("has the lines that differ, whatever the order of members", () => {
    assert.deepStrictEqual(changed({ a: 1, role: "reader" }, { role: "admin", a: 1 }), [
      "removed role: reader",
      "added role: admin"
    ])
    assert.deepStrictEqual(changed({ t: "a\nb\n" }, { t: "a\nc\n" }), ["removed   b", "added   c"])
  })

  it("is all of what is new, and nothing of members that the change does not say", () => {
    assert.deepStrictEqual(changed(null, { role: "admin" }), ["added role: admin"])
    assert.deepStrictEqual(changed({ role: "admin", version: 3 }, { role: "admin" }), [])
  })

  it("of lists has the rows that go", () => {
    const row = { kinds: ["policy"], approvals: 2 }
    assert.deepStrictEqual(changed([row], []), [
      "removed - approvals: 2",
      "removed   kinds:",
      "removed     - policy",
      "added none"
    ])
  })
})
