/** When pages ask again. */
import { FastCheck as fc } from "effect"
import { assert, describe, it } from "vitest"
import * as Polling from "../../app/shared/Polling.js"

const progress: Polling.Progress = {
  intervalMs: 5_000,
  isVisible: true,
  isOnline: true,
  lastAt: 100_000,
  changedAt: 100_000,
  failures: 0,
  chance: 0.5
}

describe("the next request", () => {
  it("is at once before the first, and an interval after the last", () => {
    assert.strictEqual(Polling.nextAt({ ...progress, lastAt: undefined }, 7), 7)
    assert.strictEqual(Polling.nextAt(progress, 100_000), 105_000)
    assert.strictEqual(Polling.nextAt(progress, 200_000), 200_000)
  })

  it("does not come in a hidden tab or without a network", () => {
    assert.isUndefined(Polling.nextAt({ ...progress, isVisible: false }, 100_000))
    assert.isUndefined(Polling.nextAt({ ...progress, isOnline: false }, 100_000))
  })

  it("is later after failures, and when nothing changes for ten minutes", () => {
    assert.strictEqual(Polling.nextAt({ ...progress, failures: 2 }, 100_000), 120_000)
    assert.strictEqual(Polling.nextAt({ ...progress, failures: 9 }, 100_000), 160_000)
    const quiet = { ...progress, lastAt: 700_000 }
    assert.strictEqual(Polling.nextAt(quiet, 699_999 + 1), 710_000)
    assert.strictEqual(Polling.nextAt({ ...quiet, changedAt: 100_001 }, 700_000), 705_000)
  })

  it("stays within a fifth of the interval, and never lies in the past", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 1, max: 120_000 }),
        fc.nat(20),
        fc.nat(3_000_000),
        (chance, intervalMs, failures, since) => {
          const now = 100_000 + since
          const at =
            Polling.nextAt({ ...progress, chance, intervalMs, failures, lastAt: now }, now) ?? 0
          const longest = Math.max(Polling.INTERVAL_MAX_MS, intervalMs)
          assert.isAtLeast(at, now + Math.floor(intervalMs * 0.8))
          assert.isAtMost(at, now + Math.ceil(longest * 1.2))
        }
      )
    )
  })
})
