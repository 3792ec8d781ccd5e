/**
 * The layout of a timeline: positions of bands, ticks, labels and the cursor, and the instant at a position.
 *
 * Times are in seconds, positions in pixels. A failure is at least 2 pixels wide, and worse verdicts are drawn over
 * better ones, so that no failure vanishes at any zoom level.
 */
import type { Timeline } from "../shared/Contract.js"
import { fromStatus, type Verdict } from "../shared/Verdict.js"

/** A period with one verdict, from a band or from columns. */
export interface TimelineRun {
  readonly from: number
  readonly to: number
  readonly verdict: Verdict
  readonly firstIndex: number
  readonly lastIndex: number
}

/** A band to draw. */
export interface Shape {
  readonly x: number
  readonly width: number
  readonly verdict: Verdict
}

/** A tick; its height is relative to the column with the most snapshots. */
export interface Tick {
  readonly x: number
  readonly height: number
}

/** A label of the axis. */
export interface Label {
  readonly x: number
  readonly seconds: number
  /** Whether it shows a time of day, with or without seconds, or a date. */
  readonly unit: "second" | "time" | "date"
}

/** The minimum width of a failure, in pixels. */
export const FAILURE_PX_MIN = 2

/** The position of an instant, also outside of the shown range. */
export const xAt = ({ from, to }: Timeline, width: number, seconds: number): number =>
  ((seconds - from) / (to - from)) * width

/** The instant at a position, clamped to the shown range. */
export const secondsAt = ({ from, to }: Timeline, width: number, x: number): number =>
  from + (Math.min(width, Math.max(0, x)) / Math.max(1, width)) * (to - from)

/** The worst verdict of a column; undefined if no snapshot was in force. */
const worstOf = (timeline: Timeline, column: number): Verdict | undefined => {
  if ((timeline.non_compliant[column] ?? 0) > 0) return "non-compliant"
  if ((timeline.unknown[column] ?? 0) > 0) return "unknown"
  return (timeline.compliant[column] ?? 0) > 0 ? "compliant" : undefined
}

/** The last snapshot that is in force in a column. */
const lastIndexOf = (timeline: Timeline, column: number): number => {
  const next = timeline.first_index.slice(column + 1).find((index) => index > 0)
  return next ?? timeline.latest?.index ?? 0
}

/** Runs of adjacent columns with the same worst verdict. */
const columnRuns = (timeline: Timeline): ReadonlyArray<TimelineRun> => {
  const runs: Array<TimelineRun> = []
  for (const [column, firstIndex] of timeline.first_index.entries()) {
    const verdict = worstOf(timeline, column)
    if (verdict === undefined) continue
    const from = timeline.from + column * timeline.step
    const to = from + timeline.step
    const lastIndex = lastIndexOf(timeline, column)
    const before = runs.at(-1)
    if (before?.verdict === verdict && before.to >= from - timeline.step / 2)
      runs[runs.length - 1] = { ...before, to, lastIndex }
    else runs.push({ from, to, verdict, firstIndex, lastIndex })
  }
  return runs
}

/** The periods of equal verdicts: exact if there are few, otherwise by column, with the worst verdict of each. */
export const runsOf = (timeline: Timeline): ReadonlyArray<TimelineRun> =>
  timeline.bands === null
    ? columnRuns(timeline)
    : timeline.bands.map(({ from, to, verdict, first_index, last_index }) => ({
        from,
        to,
        verdict: fromStatus(verdict),
        firstIndex: first_index,
        lastIndex: last_index
      }))

const LAYER: { readonly [verdict in Verdict]?: number } = {
  compliant: 0,
  unknown: 1,
  "non-compliant": 2
}

/** The bands in drawing order: worse verdicts last. */
export const shapesOf = (timeline: Timeline, width: number): ReadonlyArray<Shape> =>
  runsOf(timeline)
    .map(({ from, to, verdict }): Shape => {
      const x = xAt(timeline, width, from)
      const least = verdict === "non-compliant" ? FAILURE_PX_MIN : 0
      const wide = Math.max(least, xAt(timeline, width, to) - x)
      return { x: Math.max(0, Math.min(x, width - wide)), width: wide, verdict }
    })
    .sort((one, other) => (LAYER[one.verdict] ?? 0) - (LAYER[other.verdict] ?? 0))

/**
 * A tick for each column in which a snapshot was made. WHY logarithmic: one snapshot must be visible beside a
 * thousand.
 */
export const ticksOf = (timeline: Timeline, width: number): ReadonlyArray<Tick> => {
  const most = Math.max(1, ...timeline.snapshots)
  const columnWidth = width / timeline.snapshots.length
  return timeline.snapshots.flatMap((count, column) =>
    count === 0
      ? []
      : [
          {
            x: (column + 0.5) * columnWidth,
            height: 0.35 + 0.65 * (Math.log2(1 + count) / Math.log2(1 + most))
          }
        ]
  )
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const STEPS = [
  1,
  5,
  15,
  30,
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  7 * DAY,
  14 * DAY,
  30 * DAY,
  90 * DAY,
  365 * DAY,
  5 * 365 * DAY
]

/** The minimum distance between labels, in pixels. */
const LABEL_PX = 120

/** The labels of the axis, at round times; `offset` is the zone's, in seconds east of UTC. */
export const labelsOf = (timeline: Timeline, width: number, offset = 0): ReadonlyArray<Label> => {
  const { from, to } = timeline
  const least = ((to - from) * LABEL_PX) / Math.max(1, width)
  const step = STEPS.find((each) => each >= least) ?? Math.ceil(least / (365 * DAY)) * 365 * DAY
  const first = Math.ceil((from + offset) / step) * step - offset
  const count = Math.max(0, Math.floor((to - first) / step) + 1)
  return Array.from({ length: count }, (_, place): Label => {
    const seconds = first + place * step
    const unit = step < MINUTE ? "second" : step < DAY ? "time" : "date"
    return { x: xAt(timeline, width, seconds), seconds, unit }
  })
}

/** The first column in which a snapshot is in force; undefined if there is none. */
export const columnOf = (timeline: Timeline, index: number): number | undefined => {
  const { first_index } = timeline
  const found = first_index.findIndex(
    (first, column) => first > 0 && first <= index && index <= lastIndexOf(timeline, column)
  )
  return found < 0 ? undefined : found
}

/** The instant of a snapshot's cursor: the middle of its first column. */
export const momentOf = (timeline: Timeline, index: number): number | undefined => {
  const column = columnOf(timeline, index)
  return column === undefined ? undefined : timeline.from + (column + 0.5) * timeline.step
}

/** The snapshot in force in the next column, in a direction, that has another one. */
export const indexBeside = (
  timeline: Timeline,
  index: number,
  direction: 1 | -1
): number | undefined => {
  const columns = timeline.first_index.filter((first) => first > 0)
  return direction > 0
    ? columns.find((first) => first > index)
    : columns.filter((first) => first < index).at(-1)
}
