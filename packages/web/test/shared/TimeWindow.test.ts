/** Windows of time in the address. */
import * as Route from "@attestry/web/Route"
import { assert, describe, it } from "vitest"
import { isReversed, secondsOf, windowOf } from "../../app/shared/TimeWindow.js"

const at = (search: string) => windowOf(Route.parse(`/acme/where-it-ran${search}`))

describe("windows of time", () => {
  it("are of days in UTC, of which both are in it", () => {
    assert.strictEqual(secondsOf("1970-01-02", "first"), 86_400)
    assert.strictEqual(secondsOf("1970-01-01", "last"), 86_399.999999)
    assert.deepStrictEqual(at("?from=1970-01-02&to=1970-01-02"), {
      from: 86_400,
      to: 172_799.999999
    })
  })

  it("are of minutes in UTC", () => {
    assert.strictEqual(secondsOf("2026-11-09T00:00", "first"), 1_794_182_400)
    assert.strictEqual(secondsOf("2026-11-09T00:00", "last"), 1_794_182_400)
  })

  it("are of no other text", () => {
    for (const text of [
      "1970-13-01",
      "now",
      "",
      "1970-01-01T00:00:00",
      "2026-13-09T00:00",
      undefined
    ])
      assert.strictEqual(secondsOf(text, "first"), undefined, text)
    assert.deepStrictEqual(at("?from=soon"), { from: undefined, to: undefined })
  })

  it("are in order, or no time is between them", () => {
    assert.isTrue(isReversed(at("?from=1970-01-02&to=1970-01-01")))
    assert.isFalse(isReversed(at("?from=1970-01-02&to=1970-01-02")))
    assert.isFalse(isReversed(at("?from=1970-01-02")))
  })
})
