/** Which time a timeline shows: from the address, by buttons, by dragging. */
import { FastCheck as fc } from "effect"
import { assert, describe, it } from "vitest"
import * as TimelineDrag from "../../app/snapshot/TimelineDrag.js"
import * as TimelineRange from "../../app/snapshot/TimelineRange.js"

const query = (from: string, to: string) => ({
  query: [
    ["from", from],
    ["to", to]
  ] as const
})

const range = fc
  .tuple(fc.integer({ min: 0, max: 4_000_000_000 }), fc.integer({ min: 1, max: 1_000_000_000 }))
  .map(([from, length]) => ({ from, to: from + length }))

describe("the time of a timeline", () => {
  it("is printed into the address and read from it", () => {
    fc.assert(
      fc.property(range, (each) => {
        const { from, to } = TimelineRange.printed(each)
        assert.deepStrictEqual(TimelineRange.fromRoute(query(from, to)), each)
      })
    )
  })

  it("ignores what cannot be", () => {
    for (const [from, to] of [
      ["2", "1"],
      ["1", "1"],
      ["-1", "1"],
      ["", "1"],
      ["a", "1"],
      ["1", "Infinity"],
      ["1", "9007199255"]
    ] as const)
      assert.isUndefined(TimelineRange.fromRoute(query(from, to)), `${from} ${to}`)
    assert.isUndefined(TimelineRange.fromRoute({ query: [["from", "1"]] }))
  })

  it("stays in order and after 1970 however it is zoomed and moved", () => {
    fc.assert(
      fc.property(
        range,
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        fc.integer({ min: -5, max: 5 }),
        (each, factor, share) => {
          for (const next of [
            TimelineRange.zoomed(each, factor),
            TimelineRange.moved(each, share),
            TimelineRange.between(each.to, each.from)
          ]) {
            assert.isAtLeast(next.from, 0)
            assert.isAbove(next.to, next.from)
          }
        }
      )
    )
    assert.deepStrictEqual(TimelineRange.zoomed({ from: 100, to: 200 }, 0.5), {
      from: 125,
      to: 175
    })
    assert.deepStrictEqual(TimelineRange.moved({ from: 100, to: 200 }, -0.5), { from: 50, to: 150 })
  })

  it("names moments as expressions in UTC, to the second", () => {
    assert.strictEqual(TimelineRange.expressionAt(1_794_798_832.9), "@{2026-11-16T03:13:52}")
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9_000_000_000 }), (seconds) => {
        assert.strictEqual(TimelineRange.instantOf(TimelineRange.expressionAt(seconds)), seconds)
      })
    )
    for (const other of ["12", "~1", "@{now}", "@{2.days.ago}", "@{2026-13-01T00:00:00}"])
      assert.isUndefined(TimelineRange.instantOf(other), other)
  })

  it("is selected by dragging in either direction; a short move is a click", () => {
    const at = (start: number, x: number) => ({ ...TimelineDrag.begin(start, undefined), x })
    assert.deepStrictEqual(TimelineDrag.end(at(50, 10)), { _tag: "Range", from: 10, to: 50 })
    assert.deepStrictEqual(TimelineDrag.end(at(50, 54)), { _tag: "Range", from: 50, to: 54 })
    assert.deepStrictEqual(TimelineDrag.end(at(50, 53)), { _tag: "Moment", x: 53 })
    assert.strictEqual(TimelineDrag.begin(58, 50).mode, "scrub")
    assert.strictEqual(TimelineDrag.begin(59, 50).mode, "select")
    assert.isUndefined(TimelineDrag.selectionOf({ mode: "scrub", start: 50, x: 90 }))
  })
})
