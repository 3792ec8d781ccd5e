/**
 * One row of a member × the policies of the logical environment → its verdicts by them over time. DECISION B-333
 *
 * A logical environment judges all rows of its members at each of its snapshots, and keeps the contents that each of
 * its policies fails. What it saw is decided by numbers, except for evidence in flight: no lock orders it against that.
 * DECISION B-423
 */
import { isEnforced } from "../../policy/PolicyMode.js"
import * as Knowledge from "../../shared/Knowledge.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import type { Verdict } from "../../shared/Verdict.js"
import type { JudgingPolicy } from "../../snapshot/Snapshot.js"
import type { JudgingTimeline } from "../JudgingTimeline.js"
import type { RecordedRow } from "../RecordedRowStore.js"
import { isHeldAt, isHeldBy } from "./AllowedAt.js"
import * as PlayedRow from "./PlayedRow.js"

/** A time in which the same versions of a logical environment's policies failed the same contents. */
export interface OwnEpoch {
  readonly at: Timestamp
  /** Those that count. */
  readonly policies: ReadonlyArray<OwnPolicy>
}

/** A policy of a logical environment that counts, and the contents that it fails. */
export interface OwnPolicy extends Pick<JudgingPolicy, "id" | "name" | "version"> {
  readonly failing: ReadonlySet<string>
}

/** What the policies of a logical environment are played with. */
export interface OwnPlay {
  /** Oldest first. */
  readonly epochs: ReadonlyArray<OwnEpoch>
  /** When all rows were judged by them. */
  readonly judgings: JudgingTimeline
  /** Whether a content runs under several names, so that what failed need not be this row. */
  readonly isShared: (fingerprint: string) => boolean
}

/** A time in which the policies of the logical environment say the same about a row; null where none counts. */
export interface OwnSegment extends Pick<PlayedRow.Segment, "from" | "to" | "reasons"> {
  readonly was: Verdict | null
  readonly wouldBe: Verdict | null
  readonly isReproduced: boolean
}

/** A row of a member within a time. */
export interface OwnRow {
  readonly row: RecordedRow
  readonly from: Timestamp
  readonly to: Timestamp
  /** The instant at which the logical environment showed the first snapshot of the row. */
  readonly begun: Timestamp
}

const sameFailing = (left: OwnPolicy, right: OwnPolicy | undefined): boolean =>
  right !== undefined &&
  left.id === right.id &&
  left.version === right.version &&
  left.failing.size === right.failing.size &&
  [...left.failing].every((fingerprint) => right.failing.has(fingerprint))

/** The epochs of snapshots, oldest first; neighbours differ. */
export const epochsOf = (
  heads: ReadonlyArray<{
    readonly timestamp: Timestamp
    readonly policies: ReadonlyArray<JudgingPolicy>
  }>
): ReadonlyArray<OwnEpoch> => {
  const epochs: Array<OwnEpoch> = []
  for (const { policies, timestamp: at } of heads) {
    const counting = policies
      .filter(isEnforced)
      .map(({ failing, id, name, version }) => ({ id, name, version, failing: new Set(failing) }))
    const last = epochs.at(-1)
    const isSame =
      last !== undefined &&
      last.policies.length === counting.length &&
      counting.every((policy, place) => sameFailing(policy, last.policies[place]))
    if (!isSame) epochs.push({ at, policies: counting })
  }
  return epochs
}

const knowledgeAt = (play: PlayedRow.Play, own: OwnPlay, instant: Timestamp) => {
  if (play.knowledge === "known") return Knowledge.asOf(instant)
  if (play.knowledge === "now") return PlayedRow.hindsight(play)
  return own.judgings.lastAt(instant) ?? Knowledge.asOf(instant)
}

/** The instants at which a change of facts comes to count. */
const factInstants = (play: PlayedRow.Play, own: OwnPlay, { row, from }: OwnRow) => {
  if (play.knowledge === "now") return []
  const { events } = play.timelineOf(row.fingerprint)
  if (play.knowledge === "known") return events.map(({ at }) => at)
  const seen = knowledgeAt(play, own, from)
  return events.flatMap((event) => {
    const judging = Knowledge.isVisible(event, seen) ? undefined : own.judgings.firstAfter(event)
    return judging === undefined ? [] : [judging.at]
  })
}

const placesOf = (play: PlayedRow.Play, own: OwnPlay, given: OwnRow): ReadonlyArray<Timestamp> => {
  const { from, row, to } = given
  const changes = [
    ...own.epochs.map(({ at }) => at),
    ...factInstants(play, own, given),
    ...PlayedRow.allowanceInstants(play, row.fingerprint)
  ]
  const within = new Set(changes.filter((at) => at > from && at < to))
  return [from, ...[...within].sort((left, right) => left - right)]
}

const isAllowed = (play: PlayedRow.Play, { begun, row }: OwnRow, instant: Timestamp): boolean => {
  const snapshot = play.started.get(row.firstIndex)
  return play
    .allowances(row.fingerprint)
    .some(
      (each) =>
        isHeldAt(each, instant) ||
        (instant === begun && snapshot !== undefined && isHeldBy(each, snapshot))
    )
}

const verdictOf = (passes: boolean): Verdict => (passes ? "Compliant" : "NonCompliant")

/** What is said about a row while nothing changes. */
const judge = (
  play: PlayedRow.Play,
  { isShared }: OwnPlay,
  {
    row,
    policies,
    evaluate
  }: {
    readonly row: RecordedRow
    readonly policies: OwnEpoch["policies"]
    readonly evaluate: PlayedRow.Evaluate
  }
): Omit<OwnSegment, "from" | "to"> => {
  const again = (policy: OwnPolicy): boolean | undefined => {
    const version = play.versionOf(policy)
    return version === undefined ? undefined : evaluate(version).verdict === "Compliant"
  }
  const recorded = (policy: OwnPolicy): boolean => {
    if (!policy.failing.has(row.fingerprint)) return true
    return isShared(row.fingerprint) && again(policy) === true
  }
  const was = verdictOf(policies.every(recorded))
  const replaced = policies.find(({ name }) => name === play.replaces)
  const others = policies.filter((policy) => policy !== replaced)
  const isReproduced =
    replaced === undefined ||
    !play.verify ||
    play.knowledge !== "judged" ||
    (again(replaced) ?? recorded(replaced)) === recorded(replaced)
  const candidate = replaced === undefined ? undefined : PlayedRow.candidateAt(play, evaluate)
  const othersPass = others.every((policy) =>
    play.knowledge === "judged" ? recorded(policy) : (again(policy) ?? recorded(policy))
  )
  return isReproduced
    ? {
        ...{ was, isReproduced, reasons: candidate?.reasons ?? PlayedRow.NO_REASONS },
        wouldBe: verdictOf((candidate?.passes ?? true) && othersPass)
      }
    : { was, wouldBe: was, reasons: PlayedRow.NO_REASONS, isReproduced }
}

const NO_POLICIES = {
  was: null,
  wouldBe: null,
  reasons: PlayedRow.NO_REASONS,
  isReproduced: true
} as const

/** The verdicts of a row by the policies of the logical environment. */
export const segmentsOf = (
  play: PlayedRow.Play,
  own: OwnPlay,
  given: OwnRow
): ReadonlyArray<OwnSegment> => {
  const { from: begin, row, to: end } = given
  if (own.epochs.every(({ policies }) => policies.length === 0))
    return [{ ...NO_POLICIES, from: begin, to: end }]
  const places = placesOf(play, own, given)
  return places.map((from, place): OwnSegment => {
    const to = places[place + 1] ?? end
    const policies = own.epochs.filter(({ at }) => at <= from).at(-1)?.policies ?? []
    const none = { ...NO_POLICIES, from, to }
    if (policies.length === 0) return none
    if (isAllowed(play, given, from)) return { ...none, was: "Compliant", wouldBe: "Compliant" }
    const evaluate = PlayedRow.evaluateAt(play, row, knowledgeAt(play, own, from))
    return { from, to, ...judge(play, own, { row, policies, evaluate }) }
  })
}

/** Whether a content runs under several names, so that what failed need not be this row. */
export const sharedOf = (
  rows: Iterable<{ readonly fingerprint: string; readonly name: string }>
): ((fingerprint: string) => boolean) => {
  const names = new Map<string, string>()
  const shared = new Set<string>()
  for (const { fingerprint, name } of rows) {
    if ((names.get(fingerprint) ?? name) !== name) shared.add(fingerprint)
    names.set(fingerprint, name)
  }
  return (fingerprint) => shared.has(fingerprint)
}
