/**
 * A candidate × recorded snapshots of a logical environment → the flips of the rows of its members.
 *
 * Pure. A row's verdict in a logical environment is the lower of its verdict in the member and of what the logical
 * environment's own policies say about it, as for the environment itself. Both are played over the
 * same time, and the snapshots of flips are those of the logical environment.
 */
import { type Paused, runSync } from "../shared/internal/Paused.js"
import type * as Timestamp from "../shared/Timestamp.js"
import * as Verdict from "../shared/Verdict.js"
import type { SnapshotHead } from "../snapshot/Snapshot.js"
import type { HistoryPart, PastHead } from "./HistoryPart.js"
import * as OwnPolicies from "./internal/OwnPolicies.js"
import * as PlayedRow from "./internal/PlayedRow.js"
import * as JudgingTimeline from "./JudgingTimeline.js"
import * as PolicyBacktest from "./PolicyBacktest.js"
import type { RecordedRow } from "./RecordedRowStore.js"

/** A snapshot of a logical environment with its own policies. */
export interface LogicalHead extends PastHead, Pick<SnapshotHead, "policies"> {}

/** A member of a logical environment within a part of its history. */
export interface MemberPart {
  readonly name: string
  /** The index of its snapshot in each snapshot of the part, in order; null where it is no member. */
  readonly indexes: ReadonlyArray<number | null>
  /** The same of the snapshot before the part. */
  readonly before: number | null
  /** Its own snapshots from the first to the last of these indexes, and their rows. */
  readonly heads: ReadonlyArray<PastHead>
  readonly rows: ReadonlyArray<RecordedRow>
  /** The instant of its own snapshot after those; null where there is none. */
  readonly next: Timestamp.Timestamp | null
  readonly play: PlayedRow.Play
}

/** A part of the history of a logical environment. */
export interface LogicalPart extends Omit<PolicyBacktest.PartTime, "heads"> {
  readonly heads: ReadonlyArray<LogicalHead>
  readonly members: ReadonlyArray<MemberPart>
  /** When its policies judged all rows, oldest first: at its snapshots, and where nothing changed. */
  readonly judgings: ReadonlyArray<JudgingTimeline.Judging>
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
  { from, heads, to }: LogicalPart,
  { indexes }: MemberPart
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
 * The instant at which the logical environment shows what the member has from an instant on: the same but for the
 * instants of the member's snapshots, which its own snapshots follow.
 */
const shownAt = ({ from, heads, to }: LogicalPart, { heads: own, indexes, next }: MemberPart) => {
  const shown = new Map<number, Timestamp.Timestamp>(next === null ? [] : [[next, to]])
  let at = 0
  for (const { index, timestamp } of own) {
    while (at < heads.length && (indexes[at] ?? 0) < index) at += 1
    shown.set(timestamp, later(heads[at]?.timestamp ?? to, from))
  }
  return (instant: Timestamp.Timestamp) => shown.get(instant) ?? instant
}

/**
 * The shown rows of a member in the member's own time: each stands until the member's next snapshot replaces it.
 *
 * WHY: the logical environment shows a row longer than that, until its own snapshot follows, or none does because the
 * member has left. What judges the member in between has replaced the row there.
 */
const ownPart = (logical: LogicalPart, member: MemberPart): HistoryPart => {
  const { heads, indexes, next, rows } = member
  const { isFirst, isLast, from, to } = logical
  const shown = [...new Set(indexes)].filter((index) => index !== null)
  const second = heads[1]?.timestamp ?? next
  return {
    heads,
    rows: rows.filter(({ firstIndex, lastIndex }) =>
      shown.some((index) => index >= firstIndex && index <= lastIndex)
    ),
    // WHY: the first snapshot is shown at the beginning of the part although the member has a later one by then.
    from: second !== null && second <= from ? (heads[0]?.timestamp ?? from) : from,
    to: next !== null && next < to ? next : to,
    ...{ isFirst, isLast }
  }
}

/** The lower of what the member and the logical environment's own policies say. */
const lower = (left: Verdict.Verdict, right: Verdict.Verdict | null): Verdict.Verdict =>
  right === null ? left : Verdict.min(left, right)

/** The rows of a member with their verdicts in the logical environment. */
interface PlayedMember {
  /** Played one after another, as they are asked for. */
  readonly rows: Iterable<{
    readonly pieces: ReadonlyArray<RecordedRow>
    readonly segments: ReadonlyArray<PlayedRow.Segment>
    readonly unreproduced: PlayedRow.Unreproduced
  }>
}

const combine = (segment: PlayedRow.Segment, own: OwnPolicies.OwnSegment): PlayedRow.Segment => ({
  row: segment.row,
  from: own.from,
  to: own.to,
  was: lower(segment.was, own.was),
  // WHY: what does not come out again is in no flip, whatever the member says.
  wouldBe: own.isReproduced ? lower(segment.wouldBe, own.wouldBe) : lower(segment.was, own.was),
  reasons: () => {
    const reasons = own.reasons()
    return reasons.length > 0 ? reasons : segment.reasons()
  }
})

const playMember = (
  logical: LogicalPart,
  member: MemberPart,
  own: OwnPolicies.OwnPlay
): PlayedMember => {
  const { play } = member
  const part = ownPart(logical, member)
  const presences = presencesOf(logical, member)
  const shown = shownAt(logical, member)
  const startOf = new Map(part.heads.map(({ index, timestamp }) => [index, timestamp]))
  const playRow = (pieces: ReadonlyArray<RecordedRow>) => {
    const played = PlayedRow.segmentsOf(part, pieces, play)
    const segments: Array<PlayedRow.Segment> = []
    let inFlight = 0
    for (const segment of played.segments)
      for (const presence of presences) {
        const begun = shown(startOf.get(segment.row.firstIndex) ?? segment.from)
        const from = later(later(shown(segment.from), begun), presence.from)
        const to = earlier(shown(segment.to), presence.to)
        if (from >= to) continue
        const given = { row: segment.row, from, to, begun }
        for (const found of OwnPolicies.segmentsOf(play, own, given)) {
          if (!found.isReproduced) inFlight += 1
          segments.push(combine(segment, found))
        }
      }
    return { pieces, segments, unreproduced: { ...played.unreproduced, in_flight: inFlight } }
  }
  function* playRows() {
    for (const pieces of PolicyBacktest.byRow(part.rows)) yield playRow(pieces)
  }
  return { rows: playRows() }
}

/** The time in which at least one segment is not compliant. */
const someTime = (
  segments: ReadonlyArray<PlayedRow.Segment>,
  verdictOf: (segment: PlayedRow.Segment) => Verdict.Verdict
): number => {
  const red = segments
    .filter((segment) => verdictOf(segment) === "NonCompliant")
    .sort((left, right) => left.from - right.from)
  let [total, end] = [0, 0]
  for (const { from, to } of red) {
    total += Math.max(0, to - Math.max(from, end))
    end = Math.max(end, to)
  }
  return total
}

const verdictNow = (
  { heads, isLast, members, to }: LogicalPart,
  segments: ReadonlyArray<PlayedRow.Segment>
): PolicyBacktest.VerdictNow | null => {
  const head = heads.at(-1)
  if (!isLast || head === undefined) return null
  const was = head.verdict
  const isRed = segments.some((segment) => segment.to === to && segment.wouldBe === "NonCompliant")
  if (isRed) return { was, wouldBe: "NonCompliant" }
  if (was !== "NonCompliant") return { was, wouldBe: was }
  const present = members.filter(({ indexes }) => indexes.at(-1) != null)
  const isUnknown = present.some(({ heads: own }) => own.at(-1)?.verdict === "Unknown")
  return { was, wouldBe: isUnknown ? "Unknown" : "Compliant" }
}

/** Plays a part of the history of a logical environment; pauses after each row, for `Slices.run`. */
export function* playing(logical: LogicalPart): Paused<PolicyBacktest.PlayedPart> {
  const own: OwnPolicies.OwnPlay = {
    epochs: OwnPolicies.epochsOf(logical.heads),
    judgings: JudgingTimeline.make(logical.judgings),
    isShared: OwnPolicies.sharedOf(logical.members.flatMap(({ rows }) => rows))
  }
  const found: Array<PolicyBacktest.Flip> = []
  const all: Array<PlayedRow.Segment> = []
  let totals = PolicyBacktest.empty
  for (const member of logical.members)
    for (const { pieces, segments, unreproduced } of playMember(logical, member, own).rows) {
      yield
      if (segments.length === 0) continue
      const flips = PolicyBacktest.flipsOf(logical, segments)
      const isCarried = pieces.some(
        ({ startedIndex }) => member.before !== null && startedIndex <= member.before
      )
      for (const segment of segments) all.push(segment)
      for (const flip of flips) found.push({ ...flip, member: member.name })
      totals = PolicyBacktest.add(totals, {
        rows: isCarried && !logical.isFirst ? 0 : 1,
        flips: flips.filter(({ continued }) => !continued).length,
        nonCompliant: { was: 0, wouldBe: 0 },
        rowTime: {
          was: PolicyBacktest.timeOf(segments, ({ was }) => was),
          wouldBe: PolicyBacktest.timeOf(segments, ({ wouldBe }) => wouldBe)
        },
        unreproduced
      })
    }
  const nonCompliant = {
    was: someTime(all, ({ was }) => was),
    wouldBe: someTime(all, ({ wouldBe }) => wouldBe)
  }
  return {
    flips: found.sort((left, right) => left.from - right.from),
    totals: { ...totals, nonCompliant },
    now: verdictNow(logical, all)
  }
}

/** The same in one go. */
export const play = (logical: LogicalPart): PolicyBacktest.PlayedPart => runSync(playing(logical))
