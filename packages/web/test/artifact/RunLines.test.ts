/** Runs as lines over a common span. */
import { assert, describe, it } from "vitest"
import { linesOf, snapshotsText, WIDTH_MIN } from "../../app/artifact/RunLines.js"
import type { ArtifactRun } from "../../app/shared/Contract.js"

const run = (environment: string, started_at: number, ended_at: number | null): ArtifactRun => ({
  environment,
  name: "app",
  first_index: started_at,
  started_at,
  last_index: ended_at === null ? null : started_at + 1,
  ended_at,
  verdict: "Compliant"
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

describe("snapshots of a run", () => {
  it("are named by their indexes", () => {
    const at = (first_index: number, last_index: number | null) =>
      snapshotsText({ ...run("a", 1, null), first_index, last_index })
    assert.deepStrictEqual([at(10, null), at(44, 44), at(21, 30)], ["from #10", "#44", "#21–#30"])
  })
})
