/**
 * The rows of a physical environment × the policies of the environment that shows it → verdicts over time.
 *
 * A row's verdict in a logical environment is the lower of its verdict in the member and of what the logical
 * environment's own policies decide about it, as for the environment itself. Both are replayed
 * over the same time, and the snapshots of flips are those of the logical environment. A physical environment is the
 * case with one member and no policies of its own.
 */

import type { MomentAt } from "@attestry/core/EnvironmentMoments"
import type * as EvaluationTimeline from "@attestry/core/EvaluationTimeline"
import type { RecordedRow } from "@attestry/core/HistoryStore"
import type { SnapshotHead } from "@attestry/core/Snapshot"
import type * as Timestamp from "@attestry/core/Timestamp"
import * as Verdict from "@attestry/core/Verdict"
import type { HistoryHead, HistoryPart, PartTime } from "./HistoryPart.js"
import * as LogicalEnvironmentReplay from "./LogicalEnvironmentReplay.js"
import * as RowReplay from "./RowReplay.js"

/** A snapshot with the policies of a logical environment's own; none for a physical one. */
export interface ReplayHead extends HistoryHead, Pick<SnapshotHead, "policies"> {}

/** The snapshots of a member that a logical environment shows. */
export interface Membership {
  readonly name: string
  /** The index of the member's snapshot in each snapshot of the part, in order; null where it is no member. */
  readonly indexes: ReadonlyArray<number | null>
}

/** A physical environment within a part of a history: a member of a logical one, or the environment itself. */
export interface MemberPart {
  /** Null for the environment itself. */
  readonly membership: Membership | null
  /** The index of its snapshot before the part; null where there is none. */
  readonly before: number | null
  /** Its own snapshots from the first to the last of these indexes, and their rows. */
  readonly heads: ReadonlyArray<HistoryHead>
  readonly rows: ReadonlyArray<RecordedRow>
  /** Rows that are counted and not replayed. */
  readonly hidden?: ReadonlyArray<RecordedRow>
  /** The instant of its own snapshot after those; null where there is none. */
  readonly next: Timestamp.Timestamp | null
  readonly context: RowReplay.BacktestContext
}

/** A part of the history of an environment; a physical one has itself as its only member, and no policies besides. */
export interface ReplayPart extends PartTime {
  readonly heads: ReadonlyArray<ReplayHead>
  readonly members: ReadonlyArray<MemberPart>
  /** The evaluations of all rows by the own policies, oldest first, with and without a snapshot. */
  readonly evaluations: ReadonlyArray<EvaluationTimeline.Evaluation>
  /** The moments of the environment. */
  readonly momentAt: MomentAt
}

/** A time in which a member belongs to the logical environment. */
interface Presence {
  readonly from: Timestamp.Timestamp
  readonly to: Timestamp.Timestamp
}

const later = (left: Timestamp.Timestamp, right: Timestamp.Timestamp) =>
  left > right ? left : right
const earlier = (left: Timestamp.Timestamp, right: Timestamp.Timestamp) =>
  left < right ? left : right

const presencesOf = (
  { from, heads, to }: ReplayPart,
  { indexes }: Membership
): ReadonlyArray<Presence> => {
  const found: Array<Presence> = []
  for (const [at, { timestamp }] of heads.entries()) {
    if (indexes[at] == null) continue
    const begin = later(timestamp, from)
    const end = earlier(heads[at + 1]?.timestamp ?? to, to)
    const last = found.at(-1)
    if (last?.to === begin) found[found.length - 1] = { from: last.from, to: end }
    else found.push({ from: begin, to: end })
  }
  return found
}

/**
 * The instant at which the logical environment shows a change of the member: the same instant, except for snapshots of
 * the member, which a snapshot of the logical environment follows.
 */
const shownAt = (
  { from, heads, to }: ReplayPart,
  { heads: own, next }: MemberPart,
  { indexes }: Membership
) => {
  const shown = new Map<number, Timestamp.Timestamp>(next === null ? [] : [[next, to]])
  let at = 0
  for (const { index, timestamp } of own) {
    while (at < heads.length && (indexes[at] ?? 0) < index) at += 1
    shown.set(timestamp, later(heads[at]?.timestamp ?? to, from))
  }
  return (instant: Timestamp.Timestamp) => shown.get(instant) ?? instant
}

/**
 * The shown rows of a member in the member's own time: each lasts until the member's next snapshot.
 *
 * WHY: the logical environment shows a row longer, until its own next snapshot. Evaluations of the member in between
 * are about the rows of the member's next snapshot.
 */
const ownPart = (
  logical: ReplayPart,
  { heads, next, rows }: MemberPart,
  { indexes }: Membership
): HistoryPart => {
  const { isFirst, isLast, from, to } = logical
  const shown = [...new Set(indexes)].filter((index) => index !== null)
  const second = heads[1]?.timestamp ?? next
  return {
    heads,
    rows: rows.filter(({ firstIndex, lastIndex }) =>
      shown.some((index) => index >= firstIndex && index <= lastIndex)
    ),
    // WHY: the part begins with the member's first snapshot, although the member already has a later one.
    from: second !== null && second <= from ? (heads[0]?.timestamp ?? from) : from,
    to: next !== null && next < to ? next : to,
    isFirst,
    isLast
  }
}

/** The lower of the verdicts of the member and of the logical environment's own policies. */
const lower = (left: Verdict.Verdict, right: Verdict.Verdict | null): Verdict.Verdict =>
  right === null ? left : Verdict.min(left, right)

/** The intervals of one row with their verdicts in the environment. */
export interface MemberRow {
  readonly intervals: ReadonlyArray<RecordedRow>
  readonly segments: ReadonlyArray<RowReplay.Segment>
  readonly unreproduced: RowReplay.Mismatches
}

const combine = (
  segment: RowReplay.Segment,
  own: LogicalEnvironmentReplay.LogicalSegment
): RowReplay.Segment => ({
  row: segment.row,
  from: own.from,
  to: own.to,
  was: lower(segment.was, own.was),
  // WHY: a decision that is not reproduced is in no flip.
  wouldBe: own.isReproduced ? lower(segment.wouldBe, own.wouldBe) : lower(segment.was, own.was),
  reasons: () => {
    const reasons = own.reasons()
    return reasons.length > 0 ? reasons : segment.reasons()
  }
})

/** The part of a member in its own time, the times in which the environment shows it, and when it shows an instant. */
const timeOf = (replay: ReplayPart, member: MemberPart) => {
  const { membership } = member
  if (membership === null)
    return {
      part: { ...replay, heads: member.heads, rows: member.rows } satisfies HistoryPart,
      presences: [{ from: replay.from, to: replay.to }],
      shown: (instant: Timestamp.Timestamp) => instant
    }
  return {
    part: ownPart(replay, member, membership),
    presences: presencesOf(replay, membership),
    shown: shownAt(replay, member, membership)
  }
}

/** The intervals of each row, in order. */
const byRow = (
  intervals: ReadonlyArray<RecordedRow>
): ReadonlyArray<ReadonlyArray<RecordedRow>> => {
  const rows = new Map<string, Array<RecordedRow>>()
  for (const row of intervals) {
    const key = `${row.fingerprint} ${row.name}`
    const others = rows.get(key)
    if (others === undefined) rows.set(key, [row])
    else others.push(row)
  }
  return [...rows.values()]
}

/** Replays the rows of a member one after another, as they are asked for. */
export function* replayRows(
  replay: ReplayPart,
  member: MemberPart,
  own: LogicalEnvironmentReplay.LogicalContext
): Generator<MemberRow> {
  const { context } = member
  const { part, presences, shown } = timeOf(replay, member)
  const startOf = new Map(part.heads.map(({ index, timestamp }) => [index, timestamp]))
  for (const intervals of byRow(part.rows)) {
    const replayed = RowReplay.segmentsOf(part, intervals, context)
    const segments: Array<RowReplay.Segment> = []
    let inFlight = 0
    for (const segment of replayed.segments)
      for (const presence of presences) {
        const begun = shown(startOf.get(segment.row.firstIndex) ?? segment.from)
        const from = later(later(shown(segment.from), begun), presence.from)
        const to = earlier(shown(segment.to), presence.to)
        if (from >= to) continue
        const given = { row: segment.row, from, to, begun }
        for (const found of LogicalEnvironmentReplay.segmentsOf(context, own, given)) {
          if (!found.isReproduced) inFlight += 1
          segments.push(combine(segment, found))
        }
      }
    yield { intervals, segments, unreproduced: { ...replayed.unreproduced, in_flight: inFlight } }
  }
}
