import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as Timestamp from "../../src/shared/Timestamp.js"
import * as Verdict from "../../src/shared/Verdict.js"
import * as VerdictRuns from "../../src/snapshot/VerdictRuns.js"
import { verdictHistory } from "../../testing/arbitrary/VerdictHistory.js"
import * as TimelineModel from "../../testing/internal/model/TimelineModel.js"

const at = Timestamp.fromMicros

const scene = FastCheck.record({
  history: verdictHistory,
  from: FastCheck.integer({ min: 900, max: 2_000 }),
  length: FastCheck.integer({ min: 1, max: 1_000 }),
  max: FastCheck.integer({ min: 1, max: 12 })
})

const runsOf = (history: ReadonlyArray<TimelineModel.ModelSnapshot>) =>
  history.map(({ timestamp, verdict }) => ({ from: at(timestamp), verdict }))

/** The verdict of runs at an instant. */
const shownAt = (runs: ReadonlyArray<VerdictRuns.VerdictRun>, instant: number) =>
  runs.filter(({ from }) => from <= instant).at(-1)?.verdict

describe("VerdictRuns", () => {
  it.prop("are at most as many as asked, and the worst wins", { scene }, ({ scene: given }) => {
    const { history, from, length, max } = given
    const period = { from: at(from), to: at(from + length) }
    const runs = VerdictRuns.summarize(runsOf(history), period, max)
    assert.isAtMost(runs.length, max)
    for (let instant = from; instant < from + length; instant++) {
      const real = TimelineModel.verdictAt(history, instant)
      const shown = shownAt(runs, instant)
      if (real === undefined) assert.isUndefined(shown)
      else {
        assert.isDefined(shown)
        assert.strictEqual(shown === undefined ? undefined : Verdict.min(shown, real), shown)
      }
    }
  })

  it.prop("are exact while there are few", { scene }, ({ scene: { history, from, length } }) => {
    const period = { from: at(from), to: at(from + length) }
    const runs = VerdictRuns.summarize(runsOf(history), period, 1_000)
    for (let instant = from; instant < from + length; instant++)
      assert.strictEqual(shownAt(runs, instant), TimelineModel.verdictAt(history, instant))
  })

  it("merges only beyond the limit", () => {
    const verdicts = ["Compliant", "Unknown"] as const
    const runs = (count: number) =>
      Array.from({ length: count }, (_, place) => ({
        from: at(place),
        verdict: verdicts[place % 2] ?? "Unknown"
      }))
    const day = { from: at(0), to: at(96) }
    assert.deepStrictEqual(VerdictRuns.summarize(runs(48), day, 48), runs(48))
    assert.deepStrictEqual(VerdictRuns.summarize(runs(49), day, 48), [
      { from: at(0), verdict: "Unknown" },
      { from: at(48), verdict: "Compliant" }
    ])
  })
})
