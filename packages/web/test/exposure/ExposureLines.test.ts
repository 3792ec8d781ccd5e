/** Exposures as lines over a common span. */
import { assert, describe, it } from "vitest"
import { linesOf, snapshotsText, spanOf, WIDTH_MIN } from "../../app/exposure/ExposureLines.js"
import type { Exposure } from "../../app/shared/Contract.js"

const run = (environment: string, from: number, to: number | null): Exposure => ({
  environment,
  name: "app",
  fingerprint: "a".repeat(64),
  first_index: from,
  last_index: to === null ? null : from + 1,
  from,
  to,
  seconds: (to ?? from) - from,
  flow_name: null,
  trail_name: null,
  git_commit: null,
  compliant: { at_start: true, at_end: true, seconds_non_compliant: 0 }
})

describe("lines", () => {
  it("are one for each environment, those where it runs first, then the newest", () => {
    const lines = linesOf(
      [run("a", 0, 10), run("b", 5, null), run("c", 8, 9), run("a", 12, 14)],
      20
    )
    assert.deepStrictEqual(
      lines.map(({ environment, segments }) => [environment, segments.length]),
      [
        ["b", 1],
        ["a", 2],
        ["c", 1]
      ]
    )
  })

  it("share one span from the first start to now", () => {
    const [running, ended] = linesOf([run("a", 0, 10), run("b", 5, null)], 20)
    assert.deepStrictEqual(
      [running, ended].map((line) => line?.segments.map(({ from, to }) => [from, to])),
      [[[0.25, 1]], [[0, 0.5]]]
    )
  })

  it("are cut at the ends of a window", () => {
    const runs = [run("a", 0, 10), run("b", 5, null)]
    const [running, ended] = linesOf(runs, 20, { from: 4, to: 12 })
    assert.deepStrictEqual(
      [running, ended].map((line) => line?.segments.map(({ from, to }) => [from, to])),
      [[[0.125, 1]], [[0, 0.75]]]
    )
    assert.deepStrictEqual(spanOf(runs, 20, { from: 4, to: 12 }), { from: 4, to: 12, isNow: false })
  })

  it("begin with the first start and end with the last end where a window is wider", () => {
    const runs = [run("a", 3, 10), run("b", 5, null)]
    assert.deepStrictEqual(spanOf(runs, 20, { from: 0, to: 90 }), { from: 3, to: 20, isNow: true })
    assert.deepStrictEqual(spanOf(runs, 20, { from: undefined, to: undefined }), {
      from: 3,
      to: 20,
      isNow: true
    })
    assert.deepStrictEqual(spanOf([run("a", 3, 10)], 20, { from: 4, to: undefined }), {
      from: 4,
      to: 10,
      isNow: false
    })
  })

  it("keep a run of a moment visible and inside the line", () => {
    const runs = [run("a", 0, 1_000_000), run("b", 500, 501), run("c", 999_999, 1_000_000)]
    for (const { segments } of linesOf(runs, 1_000_000))
      for (const { from, to } of segments) {
        assert.isAtLeast(to - from, WIDTH_MIN - 1e-9)
        assert.isAtMost(to, 1)
        assert.isAtLeast(from, 0)
      }
  })

  it("are whole where everything happens at one instant, and none without runs", () => {
    const [only] = linesOf([run("a", 7, null)], 7)
    assert.strictEqual(only?.segments[0]?.to, 1)
    assert.deepStrictEqual(linesOf([], 7), [])
  })
})

describe("artifacts of a line", () => {
  it("are counted once each, and what still runs is first although something newer ended", () => {
    const other = { ...run("a", 3, 4), fingerprint: "b".repeat(64) }
    const [first, second] = linesOf([run("b", 5, 9), other, run("a", 1, null), run("a", 2, 3)], 10)
    assert.deepStrictEqual(
      [first?.environment, first?.artifacts, second?.environment, second?.artifacts],
      ["a", 2, "b", 1]
    )
  })
})

describe("snapshots of an exposure", () => {
  it("are named by their indexes", () => {
    const at = (first_index: number, last_index: number | null) =>
      snapshotsText({ ...run("a", 1, null), first_index, last_index })
    assert.deepStrictEqual([at(10, null), at(44, 44), at(21, 30)], ["from #10", "#44", "#21–#30"])
  })
})
