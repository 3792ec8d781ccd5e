/** When the event loop counts as overloaded. */
import { assert, describe, it } from "vitest"
import * as LoopWatch from "../src/internal/LoopWatch.js"

const make = () => {
  const clock = { now: 0 }
  const tracker = LoopWatch.makeTracker(() => clock.now)
  /** The timer comes so many times, each so late. */
  const late = (millis: number, times: number) => {
    for (let count = 0; count < times; count++) {
      clock.now += LoopWatch.EVERY_MILLIS + millis
      tracker.tick()
    }
  }
  return { clock, late, isOverloaded: tracker.isOverloaded }
}

describe("a loop", () => {
  it("is not overloaded while it is 200 ms late at most", () => {
    const { late, isOverloaded } = make()
    late(200, 50)
    assert.isFalse(isOverloaded())
  })

  it("is overloaded when it has been later for a second, and no longer when it is in time", () => {
    const { late, isOverloaded } = make()
    late(0, 10)
    // 221 ms each, from when the first was due.
    late(201, 4)
    assert.isFalse(isOverloaded())
    late(201, 1)
    assert.isTrue(isOverloaded())
    late(0, 1)
    assert.isFalse(isOverloaded())
    late(201, 4)
    assert.isFalse(isOverloaded())
  })

  it("is overloaded behind one computation of more than a second", () => {
    const { late, isOverloaded } = make()
    late(999, 1)
    assert.isFalse(isOverloaded())
    late(0, 1)
    late(1_000, 1)
    assert.isTrue(isOverloaded())
  })
})
