/** By which judging a row stands, and which one is the first to see a change. */
import * as JudgingTimeline from "@attestry/core/JudgingTimeline"
import * as Timestamp from "@attestry/core/Timestamp"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"

const judgings = FastCheck.array(
  FastCheck.record({ known: FastCheck.integer({ min: 1, max: 3 }), at: FastCheck.nat(3) }),
  { maxLength: 12 }
).map((steps) => {
  let [known, at] = [0, 0]
  return steps.map((step, index): JudgingTimeline.Judging => {
    known += step.known
    at += step.at
    return { known, at: Timestamp.fromMicros(at), index: 1 + Math.floor(index / 2) }
  })
})

describe("JudgingTimeline", () => {
  it.prop(
    "finds the last judging of all rows up to an instant, or the start of the row",
    { judgings, start: FastCheck.nat(11), instant: FastCheck.nat(40) },
    ({ instant, judgings: all, start }) => {
      const started = all[start] ?? { known: 100, at: Timestamp.fromMicros(50), index: 99 }
      const at = Timestamp.fromMicros(Math.max(instant, started.at))
      const later = all.filter(
        (each) => each.at <= at && each.at >= started.at && each.index >= started.index
      )
      assert.deepStrictEqual(
        JudgingTimeline.make(all).judgedAt(started, at),
        later.at(-1) ?? started
      )
    }
  )

  it.prop(
    "finds the first judging with a higher number",
    { judgings, known: FastCheck.nat(40) },
    ({ judgings: all, known }) =>
      assert.deepStrictEqual(
        JudgingTimeline.make(all).firstAfter({ known, at: Timestamp.fromMicros(0) }),
        all.find((each) => (each.known ?? 0) > known)
      )
  )
})
