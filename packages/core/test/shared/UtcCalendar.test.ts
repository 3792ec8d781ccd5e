import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { FastCheck, Option } from "effect"
import * as UtcCalendar from "../../src/shared/internal/UtcCalendar.js"
import * as Timestamp from "../../src/shared/Timestamp.js"
import * as Generated from "../../testing/arbitrary/SnapshotExpression.js"
import * as Model from "../../testing/internal/model/SnapshotExpressionModel.js"

const { daysInMonth, dayOf, minusMonths, parseMoment, printIso, printMoment } = UtcCalendar
const DAY = 86_400_000_000
const months = FastCheck.integer({ min: 0, max: 2_000 })
const timeOfDay = (instant: Timestamp.Timestamp) => instant - Math.floor(instant / DAY) * DAY
const monthIndex = (instant: Timestamp.Timestamp) => {
  const { year, month } = dayOf(instant)
  return year * 12 + month
}
const moment = (text: string) => Option.getOrThrow(parseMoment(text))

describe("UtcCalendar", () => {
  it.prop("reads back the moments that it printed", { at: Generated.wholeSecond }, ({ at }) =>
    deepStrictEqual(parseMoment(printMoment(at)), Option.some(at))
  )

  it.prop("knows the length of every month", { at: Generated.instant }, ({ at }) => {
    const { year, month } = dayOf(at)
    assert.strictEqual(daysInMonth(year, month), Model.monthLength(year, month))
  })

  it.prop(
    "EXPR-12: subtracting months keeps the time of day and lands on a date of that month",
    { at: Generated.instant, months },
    (given) => {
      const result = minusMonths(given.at, given.months)
      assert.strictEqual(result, Number(Model.minusMonths(BigInt(given.at), given.months)))
      assert.strictEqual(timeOfDay(result), timeOfDay(given.at))
      assert.strictEqual(monthIndex(result), monthIndex(given.at) - given.months)
      assert.strictEqual(dayOf(result).day <= dayOf(given.at).day, true)
    }
  )

  it.prop(
    "EXPR-13: months add up whenever the day exists in every month",
    { at: Generated.instant, one: months, two: months },
    ({ at, one, two }) => {
      const stepwise = minusMonths(minusMonths(at, one), two)
      const once = minusMonths(at, one + two)
      if (dayOf(at).day <= 28) assert.strictEqual(stepwise, once)
      assert.strictEqual(monthIndex(stepwise), monthIndex(once))
      assert.strictEqual(timeOfDay(stepwise), timeOfDay(once))
    }
  )

  it.each([
    ["2024-03-31T00:00:00", 1, "2024-02-29T00:00:00"],
    ["2023-03-31T00:00:00", 1, "2023-02-28T00:00:00"],
    ["2024-02-29T00:00:00", 12, "2023-02-28T00:00:00"],
    ["2024-05-31T00:00:00", 3, "2024-02-29T00:00:00"],
    ["2026-01-31T00:00:00", 2, "2025-11-30T00:00:00"],
    ["2024-03-31T00:00:00", 2, "2024-01-31T00:00:00"]
  ])("%s minus %i months is %s", (from, count, expected) =>
    assert.strictEqual(printMoment(minusMonths(moment(from), count)), expected)
  )

  it("is not additive at the end of a month", () =>
    assert.strictEqual(
      printMoment(minusMonths(minusMonths(moment("2024-03-31T00:00:00"), 1), 1)),
      "2024-01-29T00:00:00"
    ))

  it("prints microseconds, also before the epoch", () => {
    assert.strictEqual(printIso(Timestamp.fromMicros(1_250_000)), "1970-01-01T00:00:01.250000Z")
    assert.strictEqual(printIso(Timestamp.fromMicros(-1)), "1969-12-31T23:59:59.999999Z")
  })

  it("clamps instants to the range of a timestamp", () => {
    assert.strictEqual(moment("9999-12-31T23:59:59"), UtcCalendar.LATEST)
    assert.strictEqual(moment("0001-01-01T00:00:00"), UtcCalendar.EARLIEST)
    assert.strictEqual(minusMonths(moment("2026-01-01T00:00:00"), 30_000), UtcCalendar.EARLIEST)
    assert.strictEqual(printMoment(UtcCalendar.EARLIEST), "1684-07-28T00:12:26")
    assert.strictEqual(printMoment(UtcCalendar.LATEST), "2255-06-05T23:47:34")
  })
})
