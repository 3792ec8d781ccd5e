/** Days of the address, and windows of them. */
import * as Route from "@attestry/web/Route"
import { assert, describe, it } from "vitest"
import { isReversed, secondsOf, windowOf } from "../../app/shared/Day.js"

const at = (search: string) => windowOf(Route.parse(`/acme/where-it-ran${search}`))

describe("days", () => {
  it("are in UTC, and both ends are in a window", () => {
    assert.strictEqual(secondsOf("1970-01-02", "first"), 86_400)
    assert.strictEqual(secondsOf("1970-01-01", "last"), 86_399.999999)
    assert.deepStrictEqual(at("?from=1970-01-02&to=1970-01-02"), {
      from: 86_400,
      to: 172_799.999999
    })
  })

  it("are no other text", () => {
    for (const text of ["1970-13-01", "now", "", "1970-01-01T00:00", undefined])
      assert.strictEqual(secondsOf(text, "first"), undefined, text)
    assert.deepStrictEqual(at("?from=soon"), { from: undefined, to: undefined })
  })

  it("are in order, or no time is between them", () => {
    assert.isTrue(isReversed(at("?from=1970-01-02&to=1970-01-01")))
    assert.isFalse(isReversed(at("?from=1970-01-02&to=1970-01-02")))
    assert.isFalse(isReversed(at("?from=1970-01-02")))
  })
})
