/** The waits between attempts, as a decision. */
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Duration, FastCheck, Option } from "effect"
import * as RetryPolicy from "../src/RetryPolicy.js"

const policy: RetryPolicy.RetryPolicy = { retriesMax: 5, delayFirst: 100, delayMax: 1000 }

const repetition = {
  retry: FastCheck.integer({ min: 1, max: 5 }),
  jitter: FastCheck.double({ min: 0, max: 1, noNaN: true }),
  askedMs: FastCheck.integer({ min: 0, max: 1000 })
}

const waitMs = (retry: number, jitter: number, askedMs: number): number | undefined =>
  Option.getOrUndefined(
    Option.map(
      RetryPolicy.wait(policy, { retry, jitter, asked: Duration.millis(askedMs) }),
      Duration.toMillis
    )
  )

describe("RetryPolicy.wait", () => {
  it.prop("is what was asked for, and then half to all of the back-off", repetition, (given) => {
    const wait = waitMs(given.retry, given.jitter, given.askedMs) ?? -1
    const backOff = Math.min(100 * 2 ** (given.retry - 1), 1000)
    assert.isAtLeast(wait, given.askedMs + backOff / 2)
    assert.isAtMost(wait, given.askedMs + backOff)
  })

  it("ends with the last repetition", () => {
    assert.isDefined(waitMs(5, 0, 0))
    assert.isUndefined(waitMs(6, 0, 0))
  })

  it("ends where the server asks for more than the longest wait", () => {
    assert.isDefined(waitMs(1, 0, 1000))
    assert.isUndefined(waitMs(1, 0, 1001))
  })

  it("stays finite however often a call is repeated", () => {
    const many = { ...policy, retriesMax: 10_000 }
    const wait = RetryPolicy.wait(many, { retry: 9_999, jitter: 0, asked: Duration.zero })
    deepStrictEqual(wait, Option.some(Duration.seconds(1)))
  })
})

describe("RetryPolicy.askedWait", () => {
  const nowMs = Date.UTC(2026, 0, 1, 12)

  it("reads seconds and dates", () => {
    assert.deepStrictEqual(RetryPolicy.askedWait("120", nowMs), Duration.minutes(2))
    assert.deepStrictEqual(
      RetryPolicy.askedWait("Thu, 01 Jan 2026 12:00:30 GMT", nowMs),
      Duration.seconds(30)
    )
  })

  it("ignores a time that is over and a value that it cannot read", () => {
    for (const header of [undefined, "", "soon", "-1", "1.5e9x", "Thu, 01 Jan 2026 11:59:59 GMT"]) {
      assert.deepStrictEqual(RetryPolicy.askedWait(header, nowMs), Duration.zero)
    }
  })
})
