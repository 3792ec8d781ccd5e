/** Histories of verdicts, with instants close enough together for several to share a column, and windows over them. */
import type { TimelineSnapshot, TimelineWindow } from "@attestry/core/TimelineColumns"
import * as Timestamp from "@attestry/core/Timestamp"
import type { Verdict } from "@attestry/core/Verdict"
import * as FastCheck from "effect/FastCheck"

/** Where the histories begin. */
const BEGIN = 1_000

const verdict = FastCheck.constantFrom<Array<Verdict>>("Compliant", "NonCompliant", "Unknown")

/** Snapshots with indexes from 1 and rising instants. */
export const verdictHistory: FastCheck.Arbitrary<ReadonlyArray<TimelineSnapshot>> = FastCheck.array(
  FastCheck.tuple(FastCheck.integer({ min: 1, max: 40 }), verdict),
  { maxLength: 30 }
).map((steps) => {
  let at = BEGIN
  return steps.map(([pause, each], position) => {
    at += pause
    return { index: position + 1, timestamp: Timestamp.fromMicros(at), verdict: each }
  })
})

/** A window that may begin before a history and end after it; what is known ends anywhere after the newest. */
export const windowOver = (
  history: ReadonlyArray<TimelineSnapshot>
): FastCheck.Arbitrary<TimelineWindow> => {
  const latest = history.at(-1)?.timestamp ?? BEGIN
  return FastCheck.record({
    from: FastCheck.integer({ min: BEGIN - 100, max: latest + 100 }).map(Timestamp.fromMicros),
    step: FastCheck.integer({ min: 1, max: 60 }),
    columns: FastCheck.integer({ min: 1, max: 20 }),
    until: FastCheck.integer({ min: latest, max: latest + 200 }).map(Timestamp.fromMicros)
  })
}
