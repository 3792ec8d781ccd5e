/** By which evaluation a row stands, and which one is the first to see a change. */
import * as EvaluationTimeline from "@attestry/core/EvaluationTimeline"
import * as Timestamp from "@attestry/core/Timestamp"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"

const evaluations = FastCheck.array(
  FastCheck.record({ position: FastCheck.integer({ min: 1, max: 3 }), at: FastCheck.nat(3) }),
  { maxLength: 12 }
).map((steps) => {
  let [position, at] = [0, 0]
  return steps.map((step, index): EvaluationTimeline.Evaluation => {
    position += step.position
    at += step.at
    return { position, at: Timestamp.fromMicros(at), index: 1 + Math.floor(index / 2) }
  })
})

describe("EvaluationTimeline", () => {
  it.prop(
    "finds the last evaluation of all rows up to an instant, or the start of the row",
    { evaluations, start: FastCheck.nat(11), instant: FastCheck.nat(40) },
    ({ instant, evaluations: all, start }) => {
      const started = all[start] ?? { position: 100, at: Timestamp.fromMicros(50), index: 99 }
      const at = Timestamp.fromMicros(Math.max(instant, started.at))
      const later = all.filter(
        (each) => each.at <= at && each.at >= started.at && each.index >= started.index
      )
      assert.deepStrictEqual(
        EvaluationTimeline.make(all).evaluatedAt(started, at),
        later.at(-1) ?? started
      )
    }
  )

  it.prop(
    "finds the first evaluation with a higher number",
    { evaluations, position: FastCheck.nat(40) },
    ({ evaluations: all, position }) =>
      assert.deepStrictEqual(
        EvaluationTimeline.make(all).firstAfter({ position, at: Timestamp.fromMicros(0) }),
        all.find((each) => (each.position ?? 0) > position)
      )
  )
})
