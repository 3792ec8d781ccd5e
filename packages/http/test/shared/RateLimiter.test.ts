/** Token buckets: their rate, and their bound in memory. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as RateLimiter from "../../src/shared/internal/RateLimiter.js"

const make = (perMinute: number, keysMax = 10) => {
  const clock = { now: 0 }
  const limiter = RateLimiter.make({ perMinute, keysMax, now: () => clock.now })
  return { clock, limiter }
}

describe("RateLimiter", () => {
  it.prop(
    "never grants more than a burst and the refill of a minute",
    {
      perMinute: FastCheck.integer({ min: 1, max: 50 }),
      steps: FastCheck.array(FastCheck.integer({ min: 0, max: 5_000 }), { maxLength: 200 })
    },
    ({ perMinute, steps }) => {
      const { clock, limiter } = make(perMinute)
      let granted = 0
      for (const step of steps) {
        clock.now += step
        if (limiter.take("k") === 0) granted += 1
        assert.isAtMost(granted, perMinute + (clock.now * perMinute) / 60_000 + 1e-6)
      }
    }
  )

  it.prop(
    "returns the time until the next token",
    { perMinute: FastCheck.integer({ min: 1, max: 1_000 }) },
    ({ perMinute }) => {
      const { clock, limiter } = make(perMinute)
      for (let index = 0; index < perMinute; index++) assert.strictEqual(limiter.take("k"), 0)
      const wait = limiter.take("k")
      assert.isAbove(wait, 0)
      clock.now += wait
      assert.strictEqual(limiter.take("k"), 0)
    }
  )

  it("has a bucket for each key, and drops the least recently used one", () => {
    const { limiter } = make(1, 2)
    assert.strictEqual(limiter.take("a"), 0)
    assert.strictEqual(limiter.take("b"), 0)
    assert.isAbove(limiter.take("a"), 0)
    assert.strictEqual(limiter.take("c"), 0)
    assert.isAbove(limiter.take("a"), 0)
    assert.strictEqual(limiter.take("b"), 0)
  })
})
