/**
 * A candidate × recorded rows → the times in which rows would have had another verdict. SPEC §4.6
 *
 * Pure. Each part of a history is replayed on its own, so that totals add up for any cut; a flip that a cut divides is
 * marked on both sides. `test/backtest/PolicyBacktestModel` is the slow model.
 */

import * as EvaluationTimeline from "@attestry/core/EvaluationTimeline"
import type { ReportedFingerprint } from "@attestry/core/Fingerprint"
import type { RecordedRow } from "@attestry/core/HistoryStore"
import { type Paused, runSync } from "@attestry/core/Paused"
import type { PolicyReason } from "@attestry/core/PolicyReason"
import * as SnapshotCounts from "@attestry/core/SnapshotCounts"
import type { Timestamp } from "@attestry/core/Timestamp"
import type { Verdict } from "@attestry/core/Verdict"
import type { HistoryHead, HistoryPart, PartTime } from "./internal/HistoryPart.js"
import * as LogicalEnvironmentReplay from "./internal/LogicalEnvironmentReplay.js"
import { type MemberPart, type ReplayPart, replayRows } from "./internal/MemberReplay.js"
import type { BacktestContext, Mismatches, Segment } from "./internal/RowReplay.js"

/** A maximal time in which a row would have had another verdict. */
export interface Flip {
  readonly name: string
  readonly fingerprint: ReportedFingerprint
  /** The snapshots in force at its beginning and at its end. */
  readonly firstIndex: number
  readonly lastIndex: number
  readonly from: Timestamp
  readonly to: Timestamp
  readonly was: Verdict
  readonly wouldBe: Verdict
  /** The reasons at its beginning. */
  readonly reasons: () => ReadonlyArray<PolicyReason>
  /** Whether it began in an earlier part, and whether it may continue in the next. */
  readonly continued: boolean
  readonly continues: boolean
  /** The member in which the row runs; absent for a row of the environment itself. */
  readonly member?: string
}

/** Microseconds in recorded history, and with the candidate. */
export interface Micros {
  readonly was: number
  readonly wouldBe: number
}

/** The totals of flips. */
export interface Totals {
  readonly rows: number
  /** Rows that are not replayed, because a flow knows them that the caller does not read. */
  readonly hidden: number
  readonly flips: number
  /** The time in which the environment was not compliant. */
  readonly nonCompliant: Micros
  /** The sum of the times in which its rows were not compliant. */
  readonly rowTime: Micros
  readonly unreproduced: Mismatches
}

/** The verdict of the environment at the end of the history. */
export interface VerdictNow {
  readonly was: Verdict
  readonly wouldBe: Verdict
}

/** The results of a part. */
export interface ReplayedPart {
  readonly flips: ReadonlyArray<Flip>
  readonly totals: Totals
  /** Only for the last part; null without a snapshot. */
  readonly now: VerdictNow | null
}

type Segments = ReadonlyArray<Segment>

const NO_MICROS: Micros = { was: 0, wouldBe: 0 }

const sum = (left: Micros, right: Micros): Micros => ({
  was: left.was + right.was,
  wouldBe: left.wouldBe + right.wouldBe
})

/** Totals of no rows. */
export const empty: Totals = {
  rows: 0,
  hidden: 0,
  flips: 0,
  nonCompliant: NO_MICROS,
  rowTime: NO_MICROS,
  unreproduced: { rows: 0, other_semantics: 0, in_flight: 0 }
}

/** The sum of two totals. */
export const add = (left: Totals, right: Totals): Totals => ({
  rows: left.rows + right.rows,
  hidden: left.hidden + right.hidden,
  flips: left.flips + right.flips,
  nonCompliant: sum(left.nonCompliant, right.nonCompliant),
  rowTime: sum(left.rowTime, right.rowTime),
  unreproduced: {
    rows: left.unreproduced.rows + right.unreproduced.rows,
    other_semantics: left.unreproduced.other_semantics + right.unreproduced.other_semantics,
    in_flight: left.unreproduced.in_flight + right.unreproduced.in_flight
  }
})

/** The index of the last snapshot up to an instant, or of the first snapshot. */
const indexAt = (heads: ReadonlyArray<HistoryHead>, instant: number): number => {
  let [low, high] = [0, heads.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((heads[middle]?.timestamp ?? 0) <= instant) low = middle + 1
    else high = middle
  }
  return (heads[low - 1] ?? heads[0])?.index ?? 0
}

/** The flips of one row: joins segments that touch and have the same verdicts. */
const flipsOf = (part: PartTime, segments: ReadonlyArray<Segment>): ReadonlyArray<Flip> => {
  const joined: Array<Segment> = []
  for (const segment of segments) {
    const last = joined.at(-1)
    if (
      last !== undefined &&
      last.to === segment.from &&
      last.was === segment.was &&
      last.wouldBe === segment.wouldBe
    )
      joined[joined.length - 1] = { ...last, to: segment.to }
    else joined.push(segment)
  }
  return joined
    .filter(({ was, wouldBe }) => was !== wouldBe)
    .map(({ row, from, to, was, wouldBe, reasons }) => ({
      name: row.name,
      fingerprint: row.fingerprint,
      firstIndex: indexAt(part.heads, from),
      lastIndex: indexAt(part.heads, to - 1),
      from,
      to,
      was,
      wouldBe,
      reasons,
      continued: !part.isFirst && from === part.from,
      continues: !part.isLast && to === part.to
    }))
}

/** The sum of the times of segments that are not compliant. */
const timeOf = (
  segments: ReadonlyArray<Segment>,
  verdictOf: (segment: Segment) => Verdict
): number =>
  segments.reduce(
    (total, segment) =>
      verdictOf(segment) === "NonCompliant" ? total + segment.to - segment.from : total,
    0
  )

/** The time in which at least one segment is not compliant. */
const someTime = (
  segments: ReadonlyArray<Segment>,
  verdictOf: (segment: Segment) => Verdict
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

const isRedAt = (instant: Timestamp) => (segment: Segment) =>
  segment.to === instant && segment.wouldBe === "NonCompliant"

/** The verdict of a physical environment. */
const physicalNow = (
  { to }: ReplayPart,
  head: HistoryHead,
  {
    context: { replaces },
    segments
  }: { readonly context: BacktestContext; readonly segments: Segments }
): Verdict => {
  const running = segments
    .filter((segment) => segment.to === to)
    .map(({ wouldBe: verdict }) => ({ verdict }))
  const hasPolicies = head.verdict !== "Unknown" || replaces === null
  return SnapshotCounts.verdictOf(SnapshotCounts.count(running), { hasPolicies })
}

/** The verdict of a logical environment. */
const logicalNow = (
  { members, to }: ReplayPart,
  { verdict }: HistoryHead,
  segments: Segments
): Verdict => {
  if (segments.some(isRedAt(to))) return "NonCompliant"
  if (verdict !== "NonCompliant") return verdict
  const present = members.filter(({ membership }) => membership?.indexes.at(-1) != null)
  const isUnknown = present.some(({ heads }) => heads.at(-1)?.verdict === "Unknown")
  return isUnknown ? "Unknown" : "Compliant"
}

const verdictNow = (part: ReplayPart, segments: Segments): VerdictNow | null => {
  const head = part.heads.at(-1)
  if (!part.isLast || head === undefined) return null
  const self = part.members.find(({ membership }) => membership === null)
  const wouldBe =
    self === undefined
      ? logicalNow(part, head, segments)
      : physicalNow(part, head, { context: self.context, segments })
  return { was: head.verdict, wouldBe }
}

/** How many rows of a member are not replayed; a row that an earlier part has counted is not counted again. */
const hiddenOf = ({ isFirst }: PartTime, { before, hidden = [] }: MemberPart): number => {
  const keyOf = ({ fingerprint, name }: RecordedRow) => `${fingerprint} ${name}`
  const carried = new Set(
    hidden
      .filter(({ startedIndex }) => !isFirst && before !== null && startedIndex <= before)
      .map(keyOf)
  )
  return new Set(hidden.map(keyOf)).size - carried.size
}

/** Replays a part of a history; pauses after each row, for `Slices.run`. */
export function* replaying(part: ReplayPart): Paused<ReplayedPart> {
  const own: LogicalEnvironmentReplay.LogicalContext = {
    epochs: LogicalEnvironmentReplay.epochsOf(part.heads),
    evaluations: EvaluationTimeline.make(part.evaluations),
    isShared: LogicalEnvironmentReplay.sharedOf(part.members.flatMap(({ rows }) => rows)),
    momentAt: part.momentAt
  }
  const found: Array<Flip> = []
  const all: Array<Segment> = []
  let totals = empty
  for (const member of part.members) {
    const { before, membership } = member
    for (const { intervals, segments, unreproduced } of replayRows(part, member, own)) {
      yield
      if (membership !== null && segments.length === 0) continue
      const flips = flipsOf(part, segments)
      const isCarried =
        before !== null && intervals.some(({ startedIndex }) => startedIndex <= before)
      for (const segment of segments) all.push(segment)
      for (const flip of flips)
        found.push(membership === null ? flip : { ...flip, member: membership.name })
      totals = add(totals, {
        rows: isCarried && !part.isFirst ? 0 : 1,
        hidden: 0,
        flips: flips.filter(({ continued }) => !continued).length,
        nonCompliant: NO_MICROS,
        rowTime: {
          was: timeOf(segments, ({ was }) => was),
          wouldBe: timeOf(segments, ({ wouldBe }) => wouldBe)
        },
        unreproduced
      })
    }
  }
  const hidden = part.members.reduce((count, member) => count + hiddenOf(part, member), 0)
  const nonCompliant = {
    was: someTime(all, ({ was }) => was),
    wouldBe: someTime(all, ({ wouldBe }) => wouldBe)
  }
  return {
    flips: found.sort((left, right) => left.from - right.from),
    totals: { ...totals, hidden, nonCompliant },
    now: verdictNow(part, all)
  }
}

/** The same without pauses. */
export const replay = (part: ReplayPart): ReplayedPart => runSync(replaying(part))

/** A part of the history of a physical environment: its only member is the environment itself. */
export const ofPhysical = (
  { hidden = [], rows, ...part }: HistoryPart,
  context: BacktestContext
): ReplayPart => {
  const { heads, isFirst } = part
  const begin = heads[0]?.index
  const before = isFirst || begin === undefined ? null : begin - 1
  return {
    ...part,
    heads: heads.map((head) => ({ ...head, policies: [] })),
    members: [{ membership: null, before, heads, rows, hidden, next: null, context }],
    evaluations: [],
    momentAt: context.momentAt
  }
}

const keyOf = ({ fingerprint, member = "", name }: Flip): string =>
  `${member} ${fingerprint} ${name}`

/** The flips that may continue in the next part, by row. */
export const open = (flips: ReadonlyArray<Flip>): ReadonlyMap<string, Flip> =>
  new Map(flips.filter(({ continues }) => continues).map((flip) => [keyOf(flip), flip]))

const goesOn = (before: Flip | undefined, flip: Flip): boolean =>
  before !== undefined &&
  before.to === flip.from &&
  before.was === flip.was &&
  before.wouldBe === flip.wouldBe

/** The results of a part after another; a flip continues only where the part before left it open. */
export const after = (opened: ReadonlyMap<string, Flip>, part: ReplayedPart): ReplayedPart => {
  const flips = part.flips.map((flip) =>
    flip.continued && !goesOn(opened.get(keyOf(flip)), flip) ? { ...flip, continued: false } : flip
  )
  const begun = flips.filter(({ continued }) => !continued).length
  return { ...part, flips, totals: { ...part.totals, flips: begun } }
}

/** Joins flips that a cut divided; flips are in the order of time. */
export const join = (flips: ReadonlyArray<Flip>): ReadonlyArray<Flip> => {
  const last = new Map<string, number>()
  const joined: Array<Flip> = []
  for (const flip of flips) {
    const at = last.get(keyOf(flip))
    const before = at === undefined ? undefined : joined[at]
    if (at !== undefined && before !== undefined && flip.continued && goesOn(before, flip)) {
      const { continues, lastIndex, to } = flip
      joined[at] = { ...before, to, lastIndex, continues }
    } else last.set(keyOf(flip), joined.push(flip) - 1)
  }
  return joined
}

/** A part of a history, and its members. */
export type { MemberPart, ReplayHead, ReplayPart } from "./internal/MemberReplay.js"
/** The context of a replay, its segments, and the decisions that do not come out again. */
export type { BacktestContext, Mismatches, Segment } from "./internal/RowReplay.js"
