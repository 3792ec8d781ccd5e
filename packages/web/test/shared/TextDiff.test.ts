/** Differences between texts: every line once, and folding that loses none. */
import * as FastCheck from "effect/FastCheck"
import { assert, describe, it } from "vitest"
import * as TextDiff from "../../app/shared/TextDiff.js"

const text = FastCheck.array(FastCheck.constantFrom("a", "b", "c", ""), { maxLength: 12 }).map(
  (lines) => lines.map((line) => `${line}\n`).join("")
)

const side = (left: string, right: string, kinds: ReadonlyArray<string>) =>
  TextDiff.diffLines(left, right)
    .filter(({ kind }) => kinds.includes(kind))
    .map((line) => `${line.text}\n`)
    .join("")

describe("a difference of texts", () => {
  it("has every line of both sides once, in order", () => {
    FastCheck.assert(
      FastCheck.property(text, text, (left, right) => {
        assert.strictEqual(side(left, right, ["same", "removed"]), left)
        assert.strictEqual(side(left, right, ["same", "added"]), right)
      })
    )
  })

  it("is empty for equal texts, also where only line ends differ", () => {
    FastCheck.assert(
      FastCheck.property(text, (same) =>
        assert.deepStrictEqual(TextDiff.make(same, same).hunks, [])
      )
    )
    assert.deepStrictEqual(TextDiff.make("a\nb\n", "a\r\nb").hunks, [])
  })

  it("counts, numbers and folds", () => {
    const many = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`)
    const changed = many.map((line, at) => (at === 9 ? "other" : line))
    const diff = TextDiff.make(many.join("\n"), changed.join("\n"))
    assert.deepStrictEqual([diff.added, diff.removed, diff.rest], [1, 1, 7])
    assert.strictEqual(diff.hunks[0]?.skipped, 6)
    assert.deepStrictEqual(
      diff.hunks[0]?.lines.map(({ kind, left, right }) => [kind, left, right]),
      [
        ["same", 7, 7],
        ["same", 8, 8],
        ["same", 9, 9],
        ["removed", 10, undefined],
        ["added", undefined, 10],
        ["same", 11, 11],
        ["same", 12, 12],
        ["same", 13, 13]
      ]
    )
    const shown = diff.hunks.reduce((sum, { lines, skipped }) => sum + lines.length + skipped, 0)
    assert.strictEqual(shown + diff.rest, 21)
  })

  it("stays within its bound of work for long texts", () => {
    const [left, right] = ["x\n", "y\n"].map((line) => line.repeat(3_000))
    const { added, removed } = TextDiff.make(left ?? "", right ?? "")
    assert.deepStrictEqual([added, removed], [3_000, 3_000])
  })
})
