import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import * as Timestamp from "../../src/shared/Timestamp.js"
import * as SnapshotTimeline from "../../src/snapshot/SnapshotTimeline.js"
import * as Generated from "../../testing/arbitrary/SnapshotExpression.js"

const at = Timestamp.fromSeconds

describe("SnapshotTimeline", () => {
  it.prop(
    "SNAP-7: a new snapshot is later than the latest",
    { now: Generated.instant, latest: Generated.instant },
    ({ now, latest }) => {
      const next = SnapshotTimeline.nextTimestamp(now, Option.some(latest))
      assert.strictEqual(next > latest && next >= now, true)
      assert.strictEqual(next === now || next === latest + 1, true)
      assert.strictEqual(SnapshotTimeline.nextTimestamp(now, Option.none()), now)
    }
  )

  it("SNAP-7: is a microsecond after the latest when the clock stands still or goes back", () => {
    const latest = Option.some(at(100))
    const just = Timestamp.fromMicros(100_000_001)
    assert.strictEqual(SnapshotTimeline.nextTimestamp(at(99), latest), just)
    assert.strictEqual(SnapshotTimeline.nextTimestamp(at(100), latest), just)
    assert.strictEqual(SnapshotTimeline.nextTimestamp(just, latest), just)
  })

  it.prop(
    "SNAP-35: each snapshot ends where the next begins, and one is the latest",
    { instants: Generated.timeline },
    ({ instants }) => {
      const all = instants.map((_, position) =>
        SnapshotTimeline.neighbours(Option.fromNullable(instants[position + 1]))
      )
      assert.deepStrictEqual(
        all.map(({ next_snapshot_timestamp }) => next_snapshot_timestamp),
        [...instants.slice(1), null].slice(0, instants.length)
      )
      assert.strictEqual(
        all.filter(({ is_latest }) => is_latest).length,
        Math.min(1, instants.length)
      )
    }
  )

  it.prop(
    "finds what a linear search finds",
    { instants: Generated.timeline, instant: Generated.instant },
    ({ instants, instant }) =>
      assert.strictEqual(
        SnapshotTimeline.indexAt(instants, instant),
        instants.filter((one) => one <= instant).length
      )
  )

  it("EXPR-7: finds each snapshot from its own instant until just before the next", () => {
    const instants = [at(100), at(200), at(300)]
    const before = (instant: Timestamp.Timestamp) => Timestamp.fromMicros(instant - 1)
    assert.deepStrictEqual(
      instants.map((instant) => SnapshotTimeline.indexAt(instants, instant)),
      [1, 2, 3]
    )
    assert.deepStrictEqual(
      instants.map((instant) => SnapshotTimeline.indexAt(instants, before(instant))),
      [0, 1, 2]
    )
  })

  it("lists a snapshot that has ended", () =>
    assert.deepStrictEqual(
      SnapshotTimeline.summarize(
        { index: 1, timestamp: at(100.25), verdict: "Compliant" },
        { next: Option.some(at(108.75)), now: at(200) }
      ),
      { index: 1, from: at(100.25), to: at(108.75), compliant: true, duration: 8.5 }
    ))

  it("lists the latest with an end of 0 and a duration until now", () => {
    const summary = SnapshotTimeline.summarize(
      { index: 2, timestamp: at(1_790_000_120.2), verdict: "Unknown" },
      { next: Option.none(), now: at(1_790_000_128.9) }
    )
    assert.deepStrictEqual(Schema.encodeSync(SnapshotTimeline.SnapshotSummary)(summary), {
      index: 2,
      from: 1_790_000_120.2,
      to: 0,
      compliant: false,
      duration: 8.7
    })
  })

  it("has no negative duration when the clock is behind", () =>
    assert.strictEqual(
      SnapshotTimeline.summarize(
        { index: 1, timestamp: at(100), verdict: "NonCompliant" },
        { next: Option.none(), now: at(99) }
      ).duration,
      0
    ))
})
