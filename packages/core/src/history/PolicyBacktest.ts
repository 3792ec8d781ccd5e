/**
 * A candidate × recorded rows → the times in which rows would have had another verdict. SPEC §4.6
 *
 * Pure. A part of a history is played alone, so that totals add up however a history is cut; a flip that a cut divides
 * says so on both sides. `testing/internal/model/PolicyBacktestModel` is the slow model. DECISIONS.md, "A backtest
 * plays each part alone"
 */
import type { ReportedFingerprint } from "../artifact/Fingerprint.js"
import type { PolicyReason } from "../policy/PolicyReason.js"
import { type Paused, runSync } from "../shared/internal/Paused.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { Verdict } from "../shared/Verdict.js"
import * as SnapshotCounts from "../snapshot/SnapshotCounts.js"
import type { HistoryPart, PastHead } from "./HistoryPart.js"
import { type Play, type Segment, segmentsOf, type Unreproduced } from "./internal/PlayedRow.js"
import type { RecordedRow } from "./RecordedRowStore.js"

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
  /** At its beginning. */
  readonly reasons: () => ReadonlyArray<PolicyReason>
  /** Whether it began in the part before, and whether it may go on in the next. */
  readonly continued: boolean
  readonly continues: boolean
  /** The environment in which the row runs, where that is a member of the one that is played. */
  readonly member?: string
}

/** Microseconds as they were and as they would have been. */
export interface Micros {
  readonly was: number
  readonly wouldBe: number
}

/** What flips come to. */
export interface Totals {
  readonly rows: number
  readonly flips: number
  /** The time in which the environment was not compliant. */
  readonly nonCompliant: Micros
  /** The same of its rows, each for itself. */
  readonly rowTime: Micros
  readonly unreproduced: Unreproduced
}

/** The verdict of the environment at the end of the history. */
export interface VerdictNow {
  readonly was: Verdict
  readonly wouldBe: Verdict
}

/** What became of a part. */
export interface PlayedPart {
  readonly flips: ReadonlyArray<Flip>
  readonly totals: Totals
  /** Of the last part; null for another, or without a snapshot. */
  readonly now: VerdictNow | null
}

const NO_MICROS: Micros = { was: 0, wouldBe: 0 }

const sum = (left: Micros, right: Micros): Micros => ({
  was: left.was + right.was,
  wouldBe: left.wouldBe + right.wouldBe
})

/** Nothing. */
export const empty: Totals = {
  rows: 0,
  flips: 0,
  nonCompliant: NO_MICROS,
  rowTime: NO_MICROS,
  unreproduced: { rows: 0, other_semantics: 0, in_flight: 0 }
}

/** Both together. */
export const add = (left: Totals, right: Totals): Totals => ({
  rows: left.rows + right.rows,
  flips: left.flips + right.flips,
  nonCompliant: sum(left.nonCompliant, right.nonCompliant),
  rowTime: sum(left.rowTime, right.rowTime),
  unreproduced: {
    rows: left.unreproduced.rows + right.unreproduced.rows,
    other_semantics: left.unreproduced.other_semantics + right.unreproduced.other_semantics,
    in_flight: left.unreproduced.in_flight + right.unreproduced.in_flight
  }
})

/** The index of the last snapshot that is before an instant, or at it; the first where there is none. */
const indexAt = (heads: ReadonlyArray<PastHead>, instant: number): number => {
  let [low, high] = [0, heads.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((heads[middle]?.timestamp ?? 0) <= instant) low = middle + 1
    else high = middle
  }
  return (heads[low - 1] ?? heads[0])?.index ?? 0
}

/** Snapshots within a time, whatever their rows. */
export type PartTime = Omit<HistoryPart, "rows">

/** The flips of one row: joins segments that touch and have the same verdicts. */
export const flipsOf = (part: PartTime, segments: ReadonlyArray<Segment>): ReadonlyArray<Flip> => {
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

/** The time in which segments have the verdict that is not compliant. */
export const timeOf = (
  segments: ReadonlyArray<Segment>,
  verdictOf: (segment: Segment) => Verdict
): number =>
  segments.reduce(
    (total, segment) =>
      verdictOf(segment) === "NonCompliant" ? total + segment.to - segment.from : total,
    0
  )

/** The time in which at least one row is not compliant: counts of snapshots, changed at the ends of flips. */
export const sweep = (part: HistoryPart, flips: ReadonlyArray<Flip>): Micros => {
  const changes = [
    ...part.heads.map(({ countFalse, timestamp }, at) => {
      const before = part.heads[at - 1]?.countFalse ?? 0
      return { at: timestamp, was: countFalse - before, wouldBe: countFalse - before }
    }),
    ...flips.flatMap(({ from, to, was, wouldBe }) => {
      const change = Number(wouldBe === "NonCompliant") - Number(was === "NonCompliant")
      return [
        { at: from, was: 0, wouldBe: change },
        { at: to, was: 0, wouldBe: -change }
      ]
    })
  ].sort((left, right) => left.at - right.at)
  const count = { was: 0, wouldBe: 0 }
  const total = { was: 0, wouldBe: 0 }
  let last: number = part.from
  for (const change of [...changes, { at: part.to, was: 0, wouldBe: 0 }]) {
    const at = Math.min(Math.max(change.at, part.from), part.to)
    if (count.was > 0) total.was += at - last
    if (count.wouldBe > 0) total.wouldBe += at - last
    last = at
    count.was += change.was
    count.wouldBe += change.wouldBe
  }
  return total
}

const verdictNow = (
  part: HistoryPart,
  segments: ReadonlyArray<Segment>,
  { replaces }: Play
): VerdictNow | null => {
  const head = part.heads.at(-1)
  if (!part.isLast || head === undefined) return null
  const running = segments
    .filter(({ to }) => to === part.to)
    .map(({ wouldBe: verdict }) => ({ verdict }))
  const hasPolicies = head.verdict !== "Unknown" || replaces === null
  return {
    was: head.verdict,
    wouldBe: SnapshotCounts.verdictOf(SnapshotCounts.count(running), { hasPolicies })
  }
}

/** Whether the row was there before the part. */
const isCarried = (part: HistoryPart, [first]: ReadonlyArray<RecordedRow>): boolean => {
  const begin = part.heads[0]?.index ?? 0
  return (
    !part.isFirst && first !== undefined && first.firstIndex === begin && first.startedIndex < begin
  )
}

/** The pieces of each row, in order. */
export const byRow = (
  pieces: ReadonlyArray<RecordedRow>
): ReadonlyArray<ReadonlyArray<RecordedRow>> => {
  const rows = new Map<string, Array<RecordedRow>>()
  for (const row of pieces) {
    const key = `${row.fingerprint} ${row.name}`
    const others = rows.get(key)
    if (others === undefined) rows.set(key, [row])
    else others.push(row)
  }
  return [...rows.values()]
}

/** Plays a part of a history; pauses after each row, for `Slices.run`. */
export function* playing(part: HistoryPart, context: Play): Paused<PlayedPart> {
  const found: Array<Flip> = []
  const all: Array<Segment> = []
  let totals = empty
  for (const pieces of byRow(part.rows)) {
    const { segments, unreproduced } = segmentsOf(part, pieces, context)
    const flips = flipsOf(part, segments)
    for (const segment of segments) all.push(segment)
    for (const flip of flips) found.push(flip)
    totals = add(totals, {
      rows: isCarried(part, pieces) ? 0 : 1,
      flips: flips.filter(({ continued }) => !continued).length,
      nonCompliant: NO_MICROS,
      rowTime: {
        was: timeOf(segments, ({ was }) => was),
        wouldBe: timeOf(segments, ({ wouldBe }) => wouldBe)
      },
      unreproduced
    })
    yield
  }
  const flips = found.sort((left, right) => left.from - right.from)
  return {
    flips,
    totals: { ...totals, nonCompliant: sweep(part, flips) },
    now: verdictNow(part, all, context)
  }
}

/** The same in one go. */
export const play = (part: HistoryPart, context: Play): PlayedPart =>
  runSync(playing(part, context))

const keyOf = ({ fingerprint, member = "", name }: Flip): string =>
  `${member} ${fingerprint} ${name}`

/** The flips that may go on in the next part, by row. */
export const open = (flips: ReadonlyArray<Flip>): ReadonlyMap<string, Flip> =>
  new Map(flips.filter(({ continues }) => continues).map((flip) => [keyOf(flip), flip]))

const goesOn = (before: Flip | undefined, flip: Flip): boolean =>
  before !== undefined &&
  before.to === flip.from &&
  before.was === flip.was &&
  before.wouldBe === flip.wouldBe

/** A part after those that left flips open: only what was open goes on. */
export const after = (opened: ReadonlyMap<string, Flip>, part: PlayedPart): PlayedPart => {
  const flips = part.flips.map((flip) =>
    flip.continued && !goesOn(opened.get(keyOf(flip)), flip) ? { ...flip, continued: false } : flip
  )
  const begun = flips.filter(({ continued }) => !continued).length
  return { ...part, flips, totals: { ...part.totals, flips: begun } }
}

/** Joins flips that a cut has divided; both lists are in the order of time. */
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

/** What a part is played with, and what does not come out again. */
export type { Play, Segment, Unreproduced } from "./internal/PlayedRow.js"
