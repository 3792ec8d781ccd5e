/**
 * The history of an environment in columns of equal width: how many snapshots each has, and for how long each verdict
 * was in force. A reader draws it as it is, however many snapshots there are. SPEC §4.5
 *
 * `partsOf` says what began in which column; the time of a snapshot that lasts longer than its column is then carried
 * on into the next ones.
 */
import * as Schema from "effect/Schema"
import { EpochSeconds, fromMicros, MICROSECONDS_MAX, type Timestamp } from "../shared/Timestamp.js"
import { Verdict } from "../shared/Verdict.js"

/** The largest number of columns. */
export const COLUMNS_MAX = 2_000
/** The number of columns by default. */
export const COLUMNS_DEFAULT = 200
/** The largest number of bands; beyond it there are columns alone. */
export const BANDS_MAX = 400
/** The length of a timeline by default. */
const DAYS_DEFAULT = 30

const DAY = 86_400_000_000
const SECOND = 1_000_000

/** Columns of equal width, in microseconds. */
export interface TimelineWindow {
  readonly from: Timestamp
  readonly step: number
  readonly columns: number
  /** The instant up to which the newest snapshot is known to be in force. */
  readonly until: Timestamp
}

/** A snapshot as far as a timeline shows it. */
export interface TimelineSnapshot {
  readonly index: number
  readonly timestamp: Timestamp
  readonly verdict: Verdict
}

/** For how long each verdict was in force, in microseconds. */
export type VerdictTimes = { readonly [verdict in Verdict]: number }

/** A column in which snapshots begin. */
export interface StartedColumn {
  /** Its number, from 0. */
  readonly column: number
  readonly snapshots: number
  readonly first: Pick<TimelineSnapshot, "index" | "timestamp">
  readonly last: Pick<TimelineSnapshot, "index" | "verdict">
  /** The times from the first snapshot of the column to its end. */
  readonly times: VerdictTimes
}

/** What snapshots say about a window. */
export interface TimelineParts {
  /** The snapshot that is in force just before the window; null when there is none. */
  readonly before: Pick<TimelineSnapshot, "index" | "verdict"> | null
  /** The columns in which snapshots begin, in order. */
  readonly started: ReadonlyArray<StartedColumn>
  /** The snapshots of the window whose verdict differs from the one before, oldest first; at most `BANDS_MAX` + 1. */
  readonly changes: ReadonlyArray<TimelineSnapshot>
}

const Place = Schema.Struct({ index: Schema.Int, timestamp: EpochSeconds })

/** A time of one verdict. */
export const TimelineBand = Schema.Struct({
  from: EpochSeconds,
  to: EpochSeconds,
  verdict: Verdict,
  first_index: Schema.Int,
  last_index: Schema.Int
}).annotations({ identifier: "TimelineBand" })
/** A time of one verdict. */
export type TimelineBand = typeof TimelineBand.Type

/** A timeline on the wire; the lists have one entry for each column. */
export const Timeline = Schema.Struct({
  from: EpochSeconds,
  to: EpochSeconds,
  /** The width of a column in seconds. */
  step: Schema.Finite,
  /** The first and the latest snapshot of the environment; null before the first. */
  first: Schema.NullOr(Place),
  latest: Schema.NullOr(Place),
  /** How many snapshots begin in the column. */
  snapshots: Schema.Array(Schema.Int),
  /** The first snapshot that is in force in the column; 0 where there is none. */
  first_index: Schema.Array(Schema.Int),
  /** Seconds of each verdict. */
  compliant: Schema.Array(Schema.Finite),
  non_compliant: Schema.Array(Schema.Finite),
  unknown: Schema.Array(Schema.Finite),
  /** The times of equal verdicts; null when there are more than 400. */
  bands: Schema.NullOr(Schema.Array(TimelineBand))
}).annotations({ identifier: "SnapshotTimeline" })
/** A timeline on the wire. */
export type Timeline = typeof Timeline.Type

/** A window as it is asked for. */
export interface TimelineQuery {
  readonly from?: Timestamp
  readonly to?: Timestamp
  readonly columns?: number
}

/** The instant after the last column. */
export const endOf = ({ from, step, columns }: TimelineWindow): Timestamp =>
  fromMicros(Math.min(MICROSECONDS_MAX, from + step * columns))

/** The instant up to which anything is known. */
const knownUntil = (window: TimelineWindow): number => Math.min(endOf(window), window.until)

/**
 * The columns of a query: the 30 days before now by default. The width is a whole number of microseconds, so the
 * last column may end up to `columns` microseconds after the end that was asked for.
 */
export const windowOf = (
  { from, to, columns = COLUMNS_DEFAULT }: TimelineQuery,
  { now, latest }: { readonly now: Timestamp; readonly latest: Timestamp }
): TimelineWindow => {
  const end = to ?? Math.max(now, from ?? now)
  const begin = from ?? Math.max(0, end - DAYS_DEFAULT * DAY)
  return {
    from: fromMicros(begin),
    step: Math.max(1, Math.ceil((end - begin) / columns)),
    columns,
    until: fromMicros(Math.max(now, latest))
  }
}

const columnOf = ({ from, step }: TimelineWindow, instant: Timestamp): number =>
  Math.floor((instant - from) / step)

/** The end of the time of a column that is known. */
const columnEnd = (window: TimelineWindow, column: number): number =>
  Math.min(knownUntil(window), window.from + (column + 1) * window.step)

/** A column while its snapshots are counted. */
interface OpenColumn {
  readonly column: number
  readonly end: number
  snapshots: number
  readonly first: StartedColumn["first"]
  last: StartedColumn["last"]
  readonly times: { [verdict in Verdict]: number }
}

/** The columns in which snapshots begin. WHY open columns: a hundred thousand snapshots are counted for one answer. */
const startedOf = (
  inside: ReadonlyArray<TimelineSnapshot>,
  window: TimelineWindow
): ReadonlyArray<StartedColumn> => {
  const started: Array<OpenColumn> = []
  for (const [at, { index, timestamp, verdict }] of inside.entries()) {
    const column = columnOf(window, timestamp)
    let open = started.at(-1)
    if (open?.column !== column) {
      open = {
        column,
        end: columnEnd(window, column),
        snapshots: 0,
        first: { index, timestamp },
        last: { index, verdict },
        times: { Compliant: 0, NonCompliant: 0, Unknown: 0 }
      }
      started.push(open)
    }
    const next = Math.min(inside[at + 1]?.timestamp ?? open.end, open.end)
    open.snapshots += 1
    open.last = { index, verdict }
    open.times[verdict] += Math.max(0, next - timestamp)
  }
  return started.map(({ end: _, ...column }) => column)
}

/** What the snapshots of an environment, oldest first, say about a window. */
export const partsOf = (
  snapshots: ReadonlyArray<TimelineSnapshot>,
  window: TimelineWindow
): TimelineParts => {
  const before = snapshots.filter(({ timestamp }) => timestamp < window.from).at(-1)
  const end = endOf(window)
  const inside = snapshots.filter(({ timestamp }) => timestamp >= window.from && timestamp < end)
  return {
    before: before === undefined ? null : { index: before.index, verdict: before.verdict },
    started: startedOf(inside, window),
    changes: inside
      .filter(({ verdict }, at) => verdict !== (inside[at - 1] ?? before)?.verdict)
      .slice(0, BANDS_MAX + 1)
  }
}

interface Column {
  readonly snapshots: number
  readonly firstIndex: number
  readonly times: VerdictTimes
}

const NOTHING: Column = {
  snapshots: 0,
  firstIndex: 0,
  times: { Compliant: 0, NonCompliant: 0, Unknown: 0 }
}

/** Every column, with the times of snapshots that began in earlier ones. */
const filled = ({ before, started }: TimelineParts, window: TimelineWindow) => {
  const byColumn = new Map(started.map((column) => [column.column, column]))
  let current = before
  return Array.from({ length: window.columns }, (_, column): Column => {
    const [start, end] = [window.from + column * window.step, columnEnd(window, column)]
    const here = byColumn.get(column)
    const carried = Math.max(0, (here?.first.timestamp ?? end) - start)
    const times = { ...(here?.times ?? NOTHING.times) }
    const isCarried = current !== null && carried > 0
    if (current !== null && isCarried) times[current.verdict] += carried
    const firstIndex = isCarried ? (current?.index ?? 0) : (here?.first.index ?? 0)
    current = here?.last ?? current
    return { snapshots: here?.snapshots ?? 0, firstIndex, times }
  })
}

/** The times of equal verdicts within what is known of a window; null when there are more than `BANDS_MAX`. */
const bandsOf = (
  { before, started, changes }: TimelineParts,
  window: TimelineWindow
): ReadonlyArray<TimelineBand> | null => {
  const begun = before === null ? changes : [{ ...before, timestamp: window.from }, ...changes]
  if (begun.length > BANDS_MAX) return null
  const end = knownUntil(window)
  const lastIndex = started.at(-1)?.last.index ?? before?.index ?? 0
  const bands = begun.map(({ index, timestamp, verdict }, at): TimelineBand => {
    const next = begun[at + 1]
    return {
      from: timestamp,
      to: next?.timestamp ?? fromMicros(Math.max(timestamp, end)),
      verdict,
      first_index: index,
      last_index: next === undefined ? lastIndex : next.index - 1
    }
  })
  return bands.filter(({ from, to }) => to > from)
}

/** The timeline of a window. */
export const timelineOf = (
  parts: TimelineParts,
  window: TimelineWindow,
  {
    first,
    latest
  }: {
    readonly first: Pick<TimelineSnapshot, "index" | "timestamp"> | null
    readonly latest: Pick<TimelineSnapshot, "index" | "timestamp"> | null
  }
): Timeline => {
  const columns = filled(parts, window)
  const seconds = (verdict: Verdict) => columns.map(({ times }) => times[verdict] / SECOND)
  return {
    from: window.from,
    to: endOf(window),
    step: window.step / SECOND,
    first,
    latest,
    snapshots: columns.map(({ snapshots }) => snapshots),
    first_index: columns.map(({ firstIndex }) => firstIndex),
    compliant: seconds("Compliant"),
    non_compliant: seconds("NonCompliant"),
    unknown: seconds("Unknown"),
    bands: bandsOf(parts, window)
  }
}
