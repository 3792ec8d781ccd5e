/** Where a timeline is drawn: time is conserved, no failure vanishes, the worst verdict wins. */
import { FastCheck as fc } from "effect"
import { assert, describe, it } from "vitest"
import type { Timeline } from "../../app/shared/Contract.js"
import * as TimelineLayout from "../../app/snapshot/TimelineLayout.js"

const VERDICTS = ["Compliant", "NonCompliant", "Unknown"] as const

/** A timeline of 100 seconds with a column for each ten, from a verdict for each second. */
const timelineOf = (
  seconds: ReadonlyArray<(typeof VERDICTS)[number] | undefined>,
  hasBands: boolean
): Timeline => {
  const columns = Array.from({ length: 10 }, (_, column) =>
    seconds.slice(column * 10, column * 10 + 10)
  )
  const count = (verdict: (typeof VERDICTS)[number]) =>
    columns.map((column) => column.filter((each) => each === verdict).length)
  const bands: Array<NonNullable<Timeline["bands"]>[number]> = []
  for (const [at, verdict] of seconds.entries()) {
    const last = bands.at(-1)
    if (verdict === undefined) continue
    if (last?.verdict === verdict && last.to === at)
      bands[bands.length - 1] = { ...last, to: at + 1 }
    else bands.push({ from: at, to: at + 1, verdict, first_index: at + 1, last_index: at + 1 })
  }
  return {
    from: 0,
    to: 100,
    step: 10,
    first: { index: 1, timestamp: 0 },
    latest: { index: 100, timestamp: 99 },
    snapshots: columns.map((column) => column.filter((each) => each !== undefined).length),
    first_index: columns.map((column, place) => {
      const at = column.findIndex((each) => each !== undefined)
      return at < 0 ? 0 : place * 10 + at + 1
    }),
    compliant: count("Compliant"),
    non_compliant: count("NonCompliant"),
    unknown: count("Unknown"),
    bands: hasBands ? bands : null
  }
}

const seconds = fc.array(fc.option(fc.constantFrom(...VERDICTS), { nil: undefined }), {
  minLength: 100,
  maxLength: 100
})

describe("the layout of a timeline", () => {
  it("conserves the time of bands", () => {
    fc.assert(
      fc.property(seconds, (each) => {
        const timeline = timelineOf(each, true)
        const runs = TimelineLayout.runsOf(timeline)
        const total = runs.reduce((sum, { from, to }) => sum + to - from, 0)
        assert.strictEqual(total, each.filter((verdict) => verdict !== undefined).length)
      })
    )
  })

  it("draws every failure at least 2 pixels wide, inside, and over everything else", () => {
    fc.assert(
      fc.property(
        seconds,
        fc.boolean(),
        fc.integer({ min: 10, max: 2_000 }),
        (each, has, width) => {
          const timeline = timelineOf(each, has)
          const shapes = TimelineLayout.shapesOf(timeline, width)
          for (const [second, verdict] of each.entries()) {
            if (verdict !== "NonCompliant") continue
            const [start, end] = [(second / 100) * width, ((second + 1) / 100) * width]
            const seen = shapes.some(
              (shape) =>
                shape.verdict === "non-compliant" &&
                shape.width >= TimelineLayout.FAILURE_PX_MIN &&
                shape.x < end + 2 &&
                shape.x + shape.width > start - 2
            )
            assert.isTrue(seen, `second ${second}`)
          }
          const verdicts = shapes.map(({ verdict }) => verdict)
          const firstFailure = verdicts.indexOf("non-compliant")
          if (firstFailure >= 0)
            assert.isTrue(
              verdicts.slice(firstFailure).every((verdict) => verdict === "non-compliant")
            )
          for (const shape of shapes) {
            assert.isAtLeast(shape.x, 0)
            assert.isAtMost(shape.x + shape.width, width + 0.001)
          }
        }
      )
    )
  })

  it("shows the worst verdict of a column where there are no bands", () => {
    const each = Array.from({ length: 100 }, () => "Compliant" as (typeof VERDICTS)[number])
    each[35] = "NonCompliant"
    each[77] = "Unknown"
    assert.deepStrictEqual(
      TimelineLayout.runsOf(timelineOf(each, false)).map(({ from, to, verdict }) => [
        from,
        to,
        verdict
      ]),
      [
        [0, 30, "compliant"],
        [30, 40, "non-compliant"],
        [40, 70, "compliant"],
        [70, 80, "unknown"],
        [80, 100, "compliant"]
      ]
    )
  })

  it("leads from places to instants and back", () => {
    const timeline = timelineOf([], true)
    fc.assert(
      fc.property(
        fc.integer({ min: 10, max: 2_000 }),
        fc.integer({ min: 0, max: 100 }),
        (width, at) => {
          const x = TimelineLayout.xAt(timeline, width, at)
          assert.closeTo(TimelineLayout.secondsAt(timeline, width, x), at, 0.001)
        }
      )
    )
    assert.strictEqual(TimelineLayout.secondsAt(timeline, 100, -50), 0)
    assert.strictEqual(TimelineLayout.secondsAt(timeline, 100, 500), 100)
  })

  it("finds the column of a snapshot, and the snapshots beside it", () => {
    const timeline = timelineOf(
      Array.from({ length: 100 }, () => "Compliant" as const),
      true
    )
    assert.strictEqual(TimelineLayout.columnOf(timeline, 1), 0)
    assert.strictEqual(TimelineLayout.columnOf(timeline, 15), 1)
    assert.strictEqual(TimelineLayout.columnOf(timeline, 100), 9)
    assert.isUndefined(TimelineLayout.columnOf(timeline, 101))
    assert.strictEqual(TimelineLayout.indexBeside(timeline, 15, 1), 21)
    assert.strictEqual(TimelineLayout.indexBeside(timeline, 15, -1), 11)
    assert.isUndefined(TimelineLayout.indexBeside(timeline, 1, -1))
    assert.isUndefined(TimelineLayout.indexBeside(timeline, 100, 1))
  })

  it("labels round times, not closer than they can be read", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2_000_000_000 }),
        fc.integer({ min: 320, max: 2_000 }),
        (length, width) => {
          const timeline = {
            ...timelineOf([], true),
            from: 1_700_000_000,
            to: 1_700_000_000 + length
          }
          const labels = TimelineLayout.labelsOf(timeline, width)
          for (const [place, { x, seconds: at }] of labels.entries()) {
            assert.isAtLeast(at, timeline.from)
            assert.isAtMost(at, timeline.to)
            const next = labels[place + 1]
            if (next !== undefined) assert.isAtLeast(next.x - x, 119)
          }
        }
      )
    )
  })

  it("has a tick for each column with snapshots, the highest for the most", () => {
    const timeline = { ...timelineOf([], true), snapshots: [0, 1, 1_000, 0, 0, 0, 0, 0, 0, 3] }
    const ticks = TimelineLayout.ticksOf(timeline, 100)
    assert.deepStrictEqual(
      ticks.map(({ x }) => x),
      [15, 25, 95]
    )
    assert.strictEqual(ticks[1]?.height, 1)
    assert.isAbove(ticks[0]?.height ?? 0, 0.3)
  })
})
