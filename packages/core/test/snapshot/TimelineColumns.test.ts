import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as Timestamp from "../../src/shared/Timestamp.js"
import * as TimelineColumns from "../../src/snapshot/TimelineColumns.js"
import { verdictHistory, windowOver } from "../../testing/arbitrary/VerdictHistory.js"
import * as TimelineModel from "../../testing/internal/model/TimelineModel.js"

type Snapshot = TimelineColumns.TimelineSnapshot

const at = Timestamp.fromMicros
const NOWHERE = { first: null, latest: null }

const timeline = (history: ReadonlyArray<Snapshot>, window: TimelineColumns.TimelineWindow) =>
  TimelineColumns.timelineOf(TimelineColumns.partsOf(history, window), window, NOWHERE)

const scene = verdictHistory.chain((history) =>
  windowOver(history).map((window) => ({ history, window }))
)

const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((total, each) => total + each, 0)
const micros = (seconds: ReadonlyArray<number>) =>
  seconds.map((each) => Math.round(each * 1_000_000))

/** Alternating verdicts, one microsecond each. */
const flicker = (count: number): ReadonlyArray<Snapshot> =>
  Array.from({ length: count }, (_, position) => ({
    index: position + 1,
    timestamp: at(1_000 + position),
    verdict: position % 2 === 0 ? ("Compliant" as const) : ("NonCompliant" as const)
  }))

describe("TimelineColumns", () => {
  it.prop("has the columns of the plain model", { scene }, ({ scene: { history, window } }) => {
    const shown = timeline(history, window)
    const expected = TimelineModel.columnsOf(history, window)
    const of = (verdict: Snapshot["verdict"]) => expected.map(({ times }) => times[verdict])
    assert.deepStrictEqual(
      shown.snapshots,
      expected.map(({ snapshots }) => snapshots)
    )
    assert.deepStrictEqual(
      shown.first_index,
      expected.map(({ firstIndex }) => firstIndex)
    )
    assert.deepStrictEqual(micros(shown.compliant), of("Compliant"))
    assert.deepStrictEqual(micros(shown.non_compliant), of("NonCompliant"))
    assert.deepStrictEqual(micros(shown.unknown), of("Unknown"))
  })

  it.prop("conserves time and snapshots", { scene }, ({ scene: { history, window } }) => {
    const { compliant, non_compliant, unknown, snapshots } = timeline(history, window)
    const [begin, end] = [history[0]?.timestamp ?? window.until, TimelineColumns.endOf(window)]
    const known = Math.min(end, window.until) - Math.max(window.from, begin)
    const total = micros([...compliant, ...non_compliant, ...unknown])
    assert.strictEqual(sum(total), Math.max(0, known))
    const inside = history.filter(({ timestamp }) => timestamp >= window.from && timestamp < end)
    assert.strictEqual(sum(snapshots), inside.length)
  })

  it.prop(
    "has a band for every instant that is known, with its verdict",
    { scene },
    ({ scene: { history, window } }) => {
      const bands = timeline(history, window).bands ?? []
      const end = Math.min(TimelineColumns.endOf(window), window.until)
      for (let instant: number = window.from; instant < end; instant++) {
        const here = bands.filter(({ from, to }) => from <= instant && instant < to)
        const expected = TimelineModel.verdictAt(history, instant)
        assert.deepStrictEqual(
          here.map(({ verdict }) => verdict),
          expected === undefined ? [] : [expected]
        )
        const index = history.filter(({ timestamp }) => timestamp <= instant).length
        if (here[0] !== undefined)
          assert.isTrue(here[0].first_index <= index && index <= here[0].last_index)
      }
      for (const [place, band] of bands.entries())
        assert.notStrictEqual(band.verdict, bands[place + 1]?.verdict)
    }
  )

  it("gives bands up to 400 of them, and columns alone beyond", () => {
    const window = { from: at(1_000), step: 1_000, columns: 2, until: at(9_000) }
    assert.lengthOf(timeline(flicker(TimelineColumns.BANDS_MAX), window).bands ?? [], 400)
    const many = timeline(flicker(TimelineColumns.BANDS_MAX + 1), window)
    assert.isNull(many.bands)
    assert.strictEqual(sum(many.snapshots), 401)
  })

  it("counts the band that begins before the window", () => {
    const window = { from: at(1_001), step: 1_000, columns: 2, until: at(9_000) }
    assert.lengthOf(timeline(flicker(400), window).bands ?? [], 399)
    const early = [{ index: 1, timestamp: at(500), verdict: "Unknown" as const }]
    const later = flicker(400).map((each) => ({ ...each, index: each.index + 1 }))
    const wide = { from: at(600), step: 1_000, columns: 2, until: at(9_000) }
    assert.isNull(timeline([...early, ...later], wide).bands)
  })

  it("shows the 30 days before now unless asked, in whole microseconds", () => {
    const now = Timestamp.fromSeconds(10_000_000)
    const times = { now, latest: now }
    const month = TimelineColumns.windowOf({}, times)
    assert.strictEqual(month.from, Timestamp.fromSeconds(10_000_000 - 30 * 86_400))
    assert.strictEqual(TimelineColumns.endOf(month), now)
    const early = { now: Timestamp.fromSeconds(5), latest: Timestamp.fromSeconds(5) }
    assert.strictEqual(TimelineColumns.windowOf({}, early).from, 0)
    const odd = TimelineColumns.windowOf({ from: at(0), to: at(10), columns: 3 }, times)
    assert.deepStrictEqual([odd.step, TimelineColumns.endOf(odd)], [4, 12])
    const empty = TimelineColumns.windowOf({ from: at(7), to: at(7), columns: 3 }, times)
    assert.deepStrictEqual([empty.step, TimelineColumns.endOf(empty)], [1, 10])
  })

  it("survives the last instant that there is", () => {
    const max = Timestamp.fromMicros(Timestamp.MICROSECONDS_MAX)
    const window = TimelineColumns.windowOf(
      { from: at(0), to: max, columns: TimelineColumns.COLUMNS_MAX },
      { now: at(5_000), latest: at(5_000) }
    )
    assert.strictEqual(TimelineColumns.endOf(window), max)
    assert.lengthOf(timeline(flicker(3), window).snapshots, TimelineColumns.COLUMNS_MAX)
  })

  it("keeps a failure of a microsecond in a window of years", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.integer({ min: 1, max: 1_000_000_000 }), (moment) => {
        const history: ReadonlyArray<Snapshot> = [
          { index: 1, timestamp: at(0), verdict: "Compliant" },
          { index: 2, timestamp: at(moment), verdict: "NonCompliant" },
          { index: 3, timestamp: at(moment + 1), verdict: "Compliant" }
        ]
        const window = { from: at(0), step: 1_000_000_000, columns: 50, until: at(40_000_000_000) }
        assert.strictEqual(sum(micros(timeline(history, window).non_compliant)), 1)
      })
    )
  })
})
