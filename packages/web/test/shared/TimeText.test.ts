/** Times as words, at the limits of each form and in several zones. */
import { FastCheck as fc } from "effect"
import { assert, describe, it } from "vitest"
import * as TimeText from "../../app/shared/TimeText.js"

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const AT = Date.UTC(2026, 10, 16, 3, 13, 52)

describe("a duration", () => {
  it("has at most two units", () => {
    const table: ReadonlyArray<readonly [number, string]> = [
      [0, "0 s"],
      [59_999, "59 s"],
      [MINUTE, "1 min"],
      [HOUR - 1, "59 min"],
      [HOUR, "1 h"],
      [2 * HOUR + 10 * MINUTE, "2 h 10 min"],
      [DAY - 1, "23 h 59 min"],
      [DAY, "1 d"],
      [3 * DAY + 4 * HOUR + 5 * MINUTE, "3 d 4 h"]
    ]
    for (const [ms, text] of table) assert.strictEqual(TimeText.duration(ms), text)
  })
})

describe("a time", () => {
  it("is relative in both directions", () => {
    assert.strictEqual(TimeText.relative(AT, AT + 999), "now")
    assert.strictEqual(TimeText.relative(AT, AT + 130 * MINUTE), "2 h 10 min ago")
    assert.strictEqual(TimeText.relative(AT + 5 * MINUTE, AT), "in 5 min")
  })

  it("counts down to an end in one plain unit", () => {
    const table: ReadonlyArray<readonly [number, string]> = [
      [500, "ends in 1 s"],
      [90_000, "ends in 2 min"],
      [24 * HOUR - 500, "ends in 24 hours"],
      [26 * HOUR, "ends in 26 hours"],
      [2 * DAY - 500, "ends in 2 days"],
      [7 * DAY, "ends in 7 days"],
      [0, "ended 0 s ago"],
      [-HOUR, "ended 1 hour ago"],
      [-3 * DAY, "ended 3 days ago"]
    ]
    for (const [ms, text] of table) assert.strictEqual(TimeText.ending(AT + ms, AT), text)
  })

  it("is absolute with its zone, also where clocks change", () => {
    assert.strictEqual(TimeText.absolute(AT, "utc"), "2026-11-16 03:13:52 UTC")
    assert.strictEqual(
      TimeText.absolute(AT, "local", "Asia/Kathmandu"),
      "2026-11-16 08:58:52 GMT+5:45"
    )
    const before = Date.UTC(2026, 9, 25, 0, 30)
    assert.strictEqual(
      TimeText.absolute(before, "local", "Europe/Berlin"),
      "2026-10-25 02:30:00 CEST"
    )
    assert.strictEqual(
      TimeText.absolute(before + HOUR, "local", "Europe/Berlin"),
      "2026-10-25 02:30:00 CET"
    )
    assert.strictEqual(TimeText.absolute(Date.UTC(2026, 0, 1), "utc"), "2026-01-01 00:00:00 UTC")
    assert.strictEqual(TimeText.absolute(Number.NaN, "utc"), "unknown time")
    assert.strictEqual(TimeText.absolute(9e15, "utc"), "unknown time")
  })

  it("changes its form at 48 hours, and always names UTC", () => {
    const young = TimeText.timeText(AT, AT + 2 * DAY - 1, "utc")
    assert.deepStrictEqual(young, { text: "1 d 23 h ago", title: "2026-11-16 03:13:52 UTC" })
    const old = TimeText.timeText(AT, AT + 2 * DAY, "utc")
    assert.deepStrictEqual(old, { text: "2026-11-16 03:13:52 UTC", title: "2 d ago" })
    fc.assert(
      fc.property(
        fc.integer({ min: -4e12, max: 4e12 }),
        fc.integer({ min: 0, max: 4e12 }),
        (at, now) => {
          const { text, title } = TimeText.timeText(at, now, "local")
          assert.include(`${text} ${title}`, TimeText.absolute(at, "utc"))
        }
      )
    )
  })

  it("counts down to an instant, is marked within a week, and then is past", () => {
    const at = (before: number) => TimeText.countdown(AT, AT - before, "expires")
    assert.deepStrictEqual(at(7 * DAY), { text: "expires in 7 d", isSoon: false })
    assert.deepStrictEqual(at(7 * DAY - 1), { text: "expires in 6 d 23 h", isSoon: true })
    assert.deepStrictEqual(at(1_000), { text: "expires in 1 s", isSoon: true })
    assert.deepStrictEqual(at(0), { text: "expired now", isSoon: false })
    assert.deepStrictEqual(at(-5 * MINUTE), { text: "expired 5 min ago", isSoon: false })
    assert.strictEqual(TimeText.countdown(AT, AT - DAY, "next change").text, "next change in 1 d")
    assert.strictEqual(TimeText.instant(AT, "utc"), "2026-11-16 03:13:52 UTC")
  })

  it("is right until its next refresh", () => {
    assert.strictEqual(TimeText.refreshAfterMs(AT, AT + 30_000), 1_000)
    assert.strictEqual(TimeText.refreshAfterMs(AT, AT + 90_000), 30_000)
  })
})
