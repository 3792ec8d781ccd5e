/** The names of members of an audit package. */
import * as PackagePath from "@attestry/core/PackagePath"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"

const SAFE = /^[a-zA-Z0-9._~-]+$/

describe("PackagePath", () => {
  it("keeps safe texts, and replaces every other character", () => {
    assert.strictEqual(
      PackagePath.path("artifacts", "back-end", "a~1.json"),
      "artifacts/back-end/a~1.json"
    )
    assert.strictEqual(PackagePath.segment("../a b/ü\\c\u0000.txt"), ".._a_b___c_.txt")
    assert.deepStrictEqual(["", ".", "..", "..."].map(PackagePath.segment), ["_", "_", "__", "___"])
  })

  it("keeps the beginning and the extension of a long text", () => {
    const limit = PackagePath.SEGMENT_LENGTH_MAX
    assert.strictEqual(PackagePath.segment("a".repeat(limit)), "a".repeat(limit))
    const long = PackagePath.segment(`${"a".repeat(limit)}.tar.gz`)
    assert.deepStrictEqual([long.length, long.slice(-7)], [limit, ".tar.gz"])
  })

  it("makes a safe segment of any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const made = PackagePath.segment(text)
        assert.match(made, SAFE)
        assert.isFalse(made === "." || made === "..")
        assert.isAtMost(made.length, PackagePath.SEGMENT_LENGTH_MAX)
        assert.strictEqual(PackagePath.segment(made), made)
      })
    )
  })

  it("numbers names that are taken, before their extension", () => {
    assert.deepStrictEqual(
      PackagePath.distinct(["a.txt", "A.TXT", "a.txt", "a~2.txt", "d.x/a", "d.x/a", ".a", ".a"]),
      ["a.txt", "A~2.TXT", "a~3.txt", "a~2~2.txt", "d.x/a", "d.x/a~2", ".a", ".a~2"]
    )
  })

  it("makes names different, whatever the case, and changes only those that are taken", () => {
    const names = fc.array(fc.constantFrom("a", "A", "a.b", "a~2", "a~2.b", "x/a", "x.y/a"))
    fc.assert(
      fc.property(names, (given) => {
        const made = PackagePath.distinct(given)
        assert.strictEqual(new Set(made.map((name) => name.toLowerCase())).size, given.length)
        assert.strictEqual(made[0], given[0])
      })
    )
  })
})
