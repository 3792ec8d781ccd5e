/** Byte arrays in several pieces. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Bytes from "../../src/bytes/Bytes.js"

describe("Bytes.concat", () => {
  it.prop(
    "has every byte in order, for any pieces",
    { pieces: FastCheck.array(FastCheck.uint8Array()) },
    ({ pieces }) =>
      assert.deepStrictEqual(
        [...Bytes.concat(pieces)],
        pieces.flatMap((piece) => [...piece])
      )
  )

  it("is a copy, also of one piece", () => {
    const piece = Uint8Array.of(1, 2)
    const whole = Bytes.concat([piece])
    piece[0] = 9
    assert.deepStrictEqual([...whole], [1, 2])
  })
})
