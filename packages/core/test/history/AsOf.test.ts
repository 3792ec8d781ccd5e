/** What is to be taken as known: the forms, and the instant that each means. */
import * as AsOf from "@attestry/core/AsOf"
import * as Timestamp from "@attestry/core/Timestamp"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"

const NOW = Timestamp.fromSeconds(1_790_000_000)

const value = FastCheck.oneof(
  FastCheck.constant(AsOf.now),
  FastCheck.integer({ min: 0, max: 9_000_000_000 }).map(
    (seconds): AsOf.AsOf => ({ _tag: "At", instant: Timestamp.fromSeconds(seconds) })
  ),
  FastCheck.record({
    count: FastCheck.integer({ min: 1, max: 999 }),
    unit: FastCheck.constantFrom("hours" as const, "days" as const, "months" as const)
  }).map((ago): AsOf.AsOf => ({ _tag: "Ago", ...ago }))
)

describe("AsOf", () => {
  it.prop("never throws", { text: FastCheck.string() }, ({ text }) => {
    AsOf.parse(text)
  })

  it.prop("reads back what it printed", { value }, ({ value: given }) =>
    assert.deepStrictEqual(AsOf.parse(AsOf.print(given)), Either.right(given))
  )

  it.prop("never means the future", { value }, ({ value: given }) =>
    assert.isAtMost(AsOf.instantOf(given, NOW), NOW)
  )

  it("takes three forms, and leaves room for a fourth", () => {
    const read = (text: string) =>
      Either.getOrUndefined(Either.map(AsOf.parse(text), (asOf) => AsOf.instantOf(asOf, NOW)))
    assert.strictEqual(read("now"), NOW)
    assert.strictEqual(read("1780000000.25"), Timestamp.fromSeconds(1_780_000_000.25))
    assert.strictEqual(read("@{2.hours.ago}"), Timestamp.plusSeconds(NOW, -7_200))
    assert.strictEqual(read("@{1970-01-01T00:00:10}"), Timestamp.fromSeconds(10))
    for (const text of ["", "Now", "-1", "1e9", "~1", "#1", "1 ", "s:17", "@{}", "99999999999"])
      assert.isUndefined(read(text), text)
  })
})
