/** Windows of lists: their defaults and their bounds. */

import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Timestamp from "../../src/shared/Timestamp.js"
import * as TimeWindow from "../../src/shared/TimeWindow.js"

const DAY = 86_400
const now = Timestamp.fromSeconds(100 * DAY)
const at = (days: number) => Timestamp.fromSeconds(days * DAY)

describe("TimeWindow", () => {
  it("ends now and begins some days before its end, where a bound is absent", () => {
    const complete = (window: TimeWindow.TimeWindow) =>
      TimeWindow.complete(window, { now, days: TimeWindow.DAYS })
    assert.deepStrictEqual(complete({}), { from: at(72), to: at(100) })
    assert.deepStrictEqual(complete({ to: at(50) }), { from: at(22), to: at(50) })
    assert.deepStrictEqual(complete({ from: at(99) }), { from: at(99), to: at(100) })
    assert.deepStrictEqual(complete({ from: at(1), to: at(2) }), { from: at(1), to: at(2) })
  })

  it("has inclusive bounds, and none where one is absent", () => {
    const window = { from: at(1), to: at(2) }
    for (const inside of [at(1), at(2)]) assert.isTrue(TimeWindow.includes(window, inside))
    for (const outside of [Timestamp.fromMicros(at(1) - 1), Timestamp.fromMicros(at(2) + 1)])
      assert.isFalse(TimeWindow.includes(window, outside))
    assert.isTrue(TimeWindow.includes({}, at(9)))
    assert.deepStrictEqual([{}, { from: at(1) }, { to: at(1) }].map(TimeWindow.isBounded), [
      false,
      true,
      true
    ])
  })

  it.prop(
    "keeps the bounds that are given",
    { from: FastCheck.option(FastCheck.nat()), to: FastCheck.option(FastCheck.nat()) },
    ({ from, to }) => {
      const whole = TimeWindow.complete(
        {
          ...(from === null ? {} : { from: Timestamp.fromMicros(from) }),
          ...(to === null ? {} : { to: Timestamp.fromMicros(to) })
        },
        { now, days: 30 }
      )
      if (from !== null) assert.strictEqual(Number(whole.from), from)
      assert.strictEqual(Number(whole.to), to ?? Number(now))
    }
  )
})
