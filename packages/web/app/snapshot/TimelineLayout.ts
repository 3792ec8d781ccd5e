/**
 * Where everything of a timeline is drawn: bands, ticks, labels and the cursor, as numbers; and the way back from a
 * place to an instant.
 *
 * Times are seconds, places are pixels. A failure is at least 2 pixels wide, and worse verdicts are drawn over better
 * ones, so that no failure vanishes however far a timeline is zoomed out.
 */
import type { Timeline } from "../shared/Contract.js"
import { fromStatus, type Verdict } from "../shared/Verdict.js"

/** A time of one verdict, from a band or from columns. */
export interface TimelineRun {
  readonly from: number
  readonly to: number
  readonly verdict: Verdict
  readonly firstIndex: number
  readonly lastIndex: number
}

/** A band as it is drawn. */
export interface Shape {
  readonly x: number
  readonly width: number
  readonly verdict: Verdict
}

/** A tick: how high is a share of the most snapshots of a column. */
export interface Tick {
  readonly x: number
  readonly height: number
}

/** A label of the axis. */
export interface Label {
  readonly x: number
  readonly seconds: number
  /** Whether it names a time of day, with seconds or without, or a date. */
  readonly unit: "second" | "time" | "date"
}

/** The least width of a failure, in pixels. */
export const FAILURE_PX_MIN = 2

/** The place of an instant, also outside of the shown time. */
export const xAt = ({ from, to }: Timeline, width: number, seconds: number): number =>
  ((seconds - from) / (to - from)) * width

/** The instant of a place, within the shown time. */
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

/** Neighbouring columns of one worst verdict. */
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

/** The times of equal verdicts: exact while there are few, else those of columns, of which the worst wins. */
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

/** The bands in the order of drawing: worse ones later. */
export const shapesOf = (timeline: Timeline, width: number): ReadonlyArray<Shape> =>
  runsOf(timeline)
    .map(({ from, to, verdict }): Shape => {
      const x = xAt(timeline, width, from)
      const least = verdict === "non-compliant" ? FAILURE_PX_MIN : 0
      const wide = Math.max(least, xAt(timeline, width, to) - x)
      return { x: Math.max(0, Math.min(x, width - wide)), width: wide, verdict }
    })
    .sort((one, other) => (LAYER[one.verdict] ?? 0) - (LAYER[other.verdict] ?? 0))

/** A tick for each column in which snapshots begin. WHY the logarithm: one must be seen beside a thousand. */
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

/** The least distance between labels, in pixels. */
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

/** The first column in which a snapshot is in force; undefined when that is in none. */
export const columnOf = (timeline: Timeline, index: number): number | undefined => {
  const { first_index } = timeline
  const found = first_index.findIndex(
    (first, column) => first > 0 && first <= index && index <= lastIndexOf(timeline, column)
  )
  return found < 0 ? undefined : found
}

/** The instant at which the cursor of a snapshot stands: the middle of its first column. */
export const momentOf = (timeline: Timeline, index: number): number | undefined => {
  const column = columnOf(timeline, index)
  return column === undefined ? undefined : timeline.from + (column + 0.5) * timeline.step
}

/** The snapshot in the next column, in a direction, in which another one is in force. */
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
