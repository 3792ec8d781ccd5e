/** Keys of writes: one for the same content until an answer settles it. */
import { assert, describe, it } from "vitest"
import { offline } from "../../app/shared/ApiProblem.js"
import { isUnsettled, makeKeys } from "../../app/shared/WriteKeys.js"

describe("the key of a write", () => {
  it("stays for the same content, and changes with it", () => {
    let count = 0
    const keys = makeKeys(() => {
      count += 1
      return `key-${count}`
    })
    assert.deepStrictEqual([keys.keyFor("a"), keys.keyFor("a")], ["key-1", "key-1"])
    assert.strictEqual(keys.keyFor("b"), "key-2")
    keys.settle()
    assert.strictEqual(keys.keyFor("b"), "key-3")
  })

  it("is kept after failures that may have written", () => {
    const kinds = [
      "offline",
      "busy",
      "broken",
      "signed-out",
      "invalid",
      "denied",
      "conflict"
    ] as const
    assert.deepStrictEqual(
      kinds.map((kind) => isUnsettled({ ...offline, kind })),
      [true, true, true, true, false, false, false]
    )
  })
})
