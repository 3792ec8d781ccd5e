import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import * as EventBound from "../../src/environment-events/EventBound.js"
import * as Timestamp from "../../src/shared/Timestamp.js"

const now = Timestamp.fromSeconds(1_777_550_800.5)
const locate = (text: string) =>
  EventBound.locate(Either.getOrThrow(EventBound.parse(text)), { now, latestIndex: 5 })

describe("EventBound", () => {
  it.prop("never throws, whatever the text", { text: FastCheck.string() }, ({ text }) => {
    const parsed = EventBound.parse(text)
    if (Either.isLeft(parsed)) assert.strictEqual(parsed.left.bound, text)
  })

  it.prop(
    "clamps an index to the existing ones",
    { n: FastCheck.integer({ min: -30, max: 30 }), latestIndex: FastCheck.nat(9) },
    ({ n, latestIndex }) => {
      const bound = Either.getOrThrow(EventBound.parse(String(n)))
      const located = EventBound.locate(bound, { now, latestIndex })
      assert.strictEqual(located._tag === "AtIndex" && located.index <= latestIndex, true)
      assert.strictEqual(
        located._tag === "AtIndex" && located.index >= Math.min(1, latestIndex),
        true
      )
    }
  )

  it.each([
    ["3", 3],
    ["-1", 5],
    ["~1", 4],
    ["NOW", 5],
    ["now", 5],
    ["99", 5]
  ])("`%s` of 5 is snapshot %i", (text, index) =>
    assert.deepStrictEqual(locate(text), { _tag: "AtIndex", index })
  )

  it.each([
    ["1h", 3600],
    ["1hour", 3600],
    ["2days", 172_800],
    ["30mins", 1800],
    ["5m", 300],
    ["1w", 604_800],
    ["10s", 10]
  ])("`%s` is %i seconds ago", (text, seconds) =>
    assert.deepStrictEqual(locate(text), {
      _tag: "AtInstant",
      instant: Timestamp.plusSeconds(now, -seconds)
    })
  )

  it("reaches back no further than a timestamp", () =>
    assert.strictEqual(locate("999999999w")._tag, "AtInstant"))

  it.each(["", "h", "1x", "1 h", "-1h", "1H", "1month", "#1", "@{now}", "1234567890s"])(
    "refuses `%s`",
    (text) => {
      const error = Either.getOrThrow(Either.flip(EventBound.parse(text)))
      assert.strictEqual(error.message, `\`${text}\` is not an interval value`)
    }
  )
})
