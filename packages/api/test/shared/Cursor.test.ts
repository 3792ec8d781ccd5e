import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Cursor from "../../src/shared/Cursor.js"

describe("Cursor", () => {
  it.prop("reads back what it printed", { place: FastCheck.maxSafeNat() }, ({ place }) =>
    assert.strictEqual(Cursor.parse(Cursor.print(place)), place)
  )

  it.prop("is one text per place", { text: FastCheck.string() }, ({ text }) => {
    const place = Cursor.parse(text)
    if (place !== undefined) assert.strictEqual(Cursor.print(place), text)
  })

  it("is no other text", () => {
    const texts = [
      "",
      "17",
      "=",
      "YWZ0ZXI6MTc=",
      "YWZ0ZXI6LTE",
      "YWZ0ZXI6MDE",
      "a",
      "é",
      "x".repeat(50)
    ]
    assert.strictEqual(Cursor.parse("YWZ0ZXI6MTc"), 17)
    for (const text of texts) assert.strictEqual(Cursor.parse(text), undefined, text)
    assert.strictEqual(Cursor.parse(btoa("after:9007199254740993").replaceAll("=", "")), undefined)
  })
})
