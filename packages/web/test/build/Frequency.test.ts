/** Frequencies count everything once, in steps that suit the window. */
import { FastCheck as fc } from "effect"
import { assert, describe, it } from "vitest"
import * as Frequency from "../../app/build/Frequency.js"

const DAY = 86_400
/** 2026-11-18 06:00 UTC. */
const END = Date.UTC(2026, 10, 18, 6) / 1_000

const spanOf = (days: number): Frequency.Span => ({ start_ts: END - days * DAY, end_ts: END })

describe("frequencies", () => {
  it("count by day, by week and by 30 days", () => {
    const unitOf = (days: number) => Frequency.frequencyOf([], spanOf(days)).unit
    assert.deepStrictEqual([28, 62, 63, 365, 500].map(unitOf), [
      "day",
      "day",
      "week",
      "week",
      "30 days"
    ])
  })

  it("put each time into its day of UTC", () => {
    const { bars } = Frequency.frequencyOf([END - 7 * 3_600, END, END], spanOf(28))
    assert.deepStrictEqual(
      bars.slice(-2).map(({ from, count }) => [Frequency.dayText(from), count]),
      [
        ["2026-11-17", 1],
        ["2026-11-18", 2]
      ]
    )
  })

  it("lose nothing", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2_000 }),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true })),
        (days, shares) => {
          const span = spanOf(days)
          const times = shares.map((share) => span.start_ts + share * (END - span.start_ts))
          const { bars, count } = Frequency.frequencyOf(times, span)
          const sum = bars.reduce((total, bar) => total + bar.count, 0)
          assert.strictEqual(sum, times.length)
          assert.strictEqual(count, times.length)
          assert.isAtMost(bars.length, 63)
        }
      )
    )
  })

  it("have a rate a week, and a sentence", () => {
    const sentence = (times: ReadonlyArray<number>) =>
      Frequency.sentenceOf(Frequency.frequencyOf(times, spanOf(28)), ["build", "builds"])
    assert.strictEqual(Frequency.rateText(14, spanOf(28)), "3.5 a week")
    assert.strictEqual(Frequency.rateText(400, spanOf(28)), "100 a week")
    assert.strictEqual(Frequency.rateText(3, spanOf(1)), "3 a week")
    assert.strictEqual(sentence([END, END]), "2 builds, 0.5 a week, at most 2 in a day")
    assert.strictEqual(sentence([END]), "1 build, 0.3 a week, at most 1 in a day")
  })
})

describe("percentiles", () => {
  it("are values that occurred", () => {
    assert.strictEqual(Frequency.percentile([], 0.5), undefined)
    assert.strictEqual(Frequency.percentile([5], 0.9), 5)
    assert.strictEqual(Frequency.percentile([9, 1, 2, 10], 0.5), 2)
    assert.strictEqual(Frequency.percentile([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.9), 9)
  })
})
