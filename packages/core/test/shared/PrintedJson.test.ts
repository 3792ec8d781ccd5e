/** The beginning of a printed value is the beginning of its JSON text. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as PrintedJson from "../../src/shared/internal/PrintedJson.js"

describe("PrintedJson", () => {
  it.prop(
    "agrees with JSON.stringify up to the limit",
    { value: FastCheck.anything({ withNullPrototype: true }), length: FastCheck.nat(60) },
    ({ value, length }) => {
      const whole = JSON.stringify(value)
      const printed = PrintedJson.print(value, length)
      assert.strictEqual(printed?.slice(0, length), whole?.slice(0, length))
      assert.strictEqual((printed?.length ?? 0) <= length, (whole?.length ?? 0) <= length)
    },
    { fastCheck: { numRuns: 2_000 } }
  )

  it("prints only the beginning of a large value", () => {
    const large = Array.from({ length: 1_000_000 }, () => ({}))
    assert.isBelow(PrintedJson.print(large, 200)?.length ?? 0, 210)
  })
})
