/**
 * One row of a member × the policies of the logical environment → its verdicts by them over time.
 *
 * A logical environment evaluates all rows of its members at each of its snapshots, and records the fingerprints that
 * each of its policies fails. Commit positions decide which evidence it saw, except for evidence that was committed
 * during the evaluation: no lock orders the two.
 */

import * as CommitPosition from "@attestry/core/CommitPosition"
import type { MomentAt } from "@attestry/core/EnvironmentMoments"
import type { EvaluationTimeline } from "@attestry/core/EvaluationTimeline"
import type { RecordedRow } from "@attestry/core/HistoryStore"
import { isEnforced } from "@attestry/core/PolicyMode"
import type { EvaluatingPolicy } from "@attestry/core/Snapshot"
import type { Timestamp } from "@attestry/core/Timestamp"
import { isValidAt, isValidFor } from "@attestry/core/ValidityPeriod"
import type { Verdict } from "@attestry/core/Verdict"
import * as EvidenceTimes from "./EvidenceTimes.js"
import * as RowReplay from "./RowReplay.js"

/** A time in which the same versions of a logical environment's policies failed the same fingerprints. */
export interface PolicyEpoch {
  readonly at: Timestamp
  /** The enforced policies. */
  readonly policies: ReadonlyArray<EpochPolicy>
}

/** An enforced policy of a logical environment, and the fingerprints that it fails. */
export interface EpochPolicy extends Pick<EvaluatingPolicy, "id" | "name" | "version"> {
  readonly failing: ReadonlySet<string>
}

/** The context in which the policies of a logical environment are replayed. */
export interface LogicalContext {
  /** Oldest first. */
  readonly epochs: ReadonlyArray<PolicyEpoch>
  /** Their evaluations of all rows. */
  readonly evaluations: EvaluationTimeline
  /** Whether a fingerprint runs under several names, so that another row may have failed. */
  readonly isShared: (fingerprint: string) => boolean
  /** The moments of the logical environment. */
  readonly momentAt: MomentAt
}

/** A time with constant verdicts of the logical environment's policies about a row; null without policies. */
export interface LogicalSegment extends Pick<RowReplay.Segment, "from" | "to" | "reasons"> {
  readonly was: Verdict | null
  readonly wouldBe: Verdict | null
  readonly isReproduced: boolean
}

/** A row of a member within a time. */
export interface MemberInterval {
  readonly row: RecordedRow
  readonly from: Timestamp
  readonly to: Timestamp
  /** The instant at which the logical environment showed the row's first snapshot. */
  readonly begun: Timestamp
}

const sameFailing = (left: EpochPolicy, right: EpochPolicy | undefined): boolean =>
  right !== undefined &&
  left.id === right.id &&
  left.version === right.version &&
  left.failing.size === right.failing.size &&
  [...left.failing].every((fingerprint) => right.failing.has(fingerprint))

/** The epochs of snapshots, oldest first; consecutive epochs differ. */
export const epochsOf = (
  heads: ReadonlyArray<{
    readonly timestamp: Timestamp
    readonly policies: ReadonlyArray<EvaluatingPolicy>
  }>
): ReadonlyArray<PolicyEpoch> => {
  const epochs: Array<PolicyEpoch> = []
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

const boundAt = (context: RowReplay.BacktestContext, own: LogicalContext, instant: Timestamp) => {
  if (context.evidence === "known") return CommitPosition.asOf(instant)
  if (context.evidence === "now") return RowReplay.boundAtHorizon(context)
  return own.evaluations.lastAt(instant) ?? CommitPosition.asOf(instant)
}

/** The instants at which changed facts count for the first time. */
const factInstants = (
  context: RowReplay.BacktestContext,
  own: LogicalContext,
  { row, from }: MemberInterval
) => {
  if (context.evidence === "now") return []
  const { events } = context.timelineOf(row.fingerprint)
  if (context.evidence === "known") return events.map(({ at }) => at)
  const seen = boundAt(context, own, from)
  return events.flatMap((event) => {
    const evaluation = CommitPosition.isVisible(event, seen)
      ? undefined
      : own.evaluations.firstAfter(event)
    return evaluation === undefined ? [] : [evaluation.at]
  })
}

/** The policies that are evaluated for a row and that time may turn. */
const turningOf = (context: RowReplay.BacktestContext, { epochs }: LogicalContext) => {
  const others =
    context.evidence === "judged"
      ? []
      : epochs
          .flatMap(({ policies }) => policies)
          .filter(({ name }) => name !== context.replaces)
          .flatMap((policy) => context.versionOf(policy) ?? [])
  return [context.candidate, ...new Set(others)].filter(({ isTimed }) => isTimed)
}

/** The evidence of a row over time; its first point may be before the interval. */
const evidenceOf = (
  context: RowReplay.BacktestContext,
  own: LogicalContext,
  given: MemberInterval
): ReadonlyArray<EvidenceTimes.EvidencePoint> => {
  const { from, row, to } = given
  const points = EvidenceTimes.instantsWithin(given, factInstants(context, own, given)).map(
    (instant) => {
      const bound = boundAt(context, own, instant)
      const at = instant === from && bound.at < from ? bound.at : instant
      return { at, bound, recorded: bound }
    }
  )
  return EvidenceTimes.withTurns(points, to, {
    policies: turningOf(context, own),
    momentAt: own.momentAt,
    factsWithin: (bound) => RowReplay.factsWithin(context, row, bound),
    boundAt: (instant) => RowReplay.boundAtTurn(context, instant)
  })
}

const isAllowed = (
  context: RowReplay.BacktestContext,
  { begun, row }: MemberInterval,
  instant: Timestamp
): boolean => {
  const snapshot = context.started.get(row.firstIndex)
  return context
    .allowedPeriods(row.fingerprint)
    .some(
      (each) =>
        isValidAt(each, instant) ||
        (instant === begun && snapshot !== undefined && isValidFor(each, snapshot))
    )
}

const verdictOf = (passes: boolean): Verdict => (passes ? "Compliant" : "NonCompliant")

/** The verdicts about a row between two changes. */
const evaluateRow = (
  context: RowReplay.BacktestContext,
  { isShared }: LogicalContext,
  {
    row,
    policies,
    evaluate,
    evaluateThen
  }: {
    readonly row: RecordedRow
    readonly policies: PolicyEpoch["policies"]
    readonly evaluate: RowReplay.Evaluate
    /** Evaluates as the recorded evaluation did. */
    readonly evaluateThen: RowReplay.Evaluate
  }
): Omit<LogicalSegment, "from" | "to"> => {
  const again = (policy: EpochPolicy): boolean | undefined => {
    const version = context.versionOf(policy)
    return version === undefined ? undefined : evaluateThen(version).verdict === "Compliant"
  }
  const recorded = (policy: EpochPolicy): boolean => {
    if (!policy.failing.has(row.fingerprint)) return true
    return isShared(row.fingerprint) && again(policy) === true
  }
  const was = verdictOf(policies.every(recorded))
  const replaced = policies.find(({ name }) => name === context.replaces)
  const others = policies.filter((policy) => policy !== replaced)
  const isReproduced =
    replaced === undefined ||
    !context.verify ||
    context.evidence !== "judged" ||
    (again(replaced) ?? recorded(replaced)) === recorded(replaced)
  const candidate = replaced === undefined ? undefined : RowReplay.candidateAt(context, evaluate)
  const othersPass = others.every((policy) =>
    context.evidence === "judged" ? recorded(policy) : (again(policy) ?? recorded(policy))
  )
  return isReproduced
    ? {
        was,
        isReproduced,
        reasons: candidate?.reasons ?? RowReplay.NO_REASONS,
        wouldBe: verdictOf((candidate?.passes ?? true) && othersPass)
      }
    : { was, wouldBe: was, reasons: RowReplay.NO_REASONS, isReproduced }
}

const NO_POLICIES = {
  was: null,
  wouldBe: null,
  reasons: RowReplay.NO_REASONS,
  isReproduced: true
} as const

/** The verdicts of a row by the policies of the logical environment. */
export const segmentsOf = (
  context: RowReplay.BacktestContext,
  own: LogicalContext,
  given: MemberInterval
): ReadonlyArray<LogicalSegment> => {
  const { from: begin, row, to: end } = given
  if (own.epochs.every(({ policies }) => policies.length === 0))
    return [{ ...NO_POLICIES, from: begin, to: end }]
  const evidence = evidenceOf(context, own, given)
  const points = EvidenceTimes.instantsWithin(given, [
    ...own.epochs.map(({ at }) => at),
    ...evidence.map(({ at }) => at),
    ...RowReplay.allowListInstants(context, row.fingerprint)
  ])
  return points.map((from, place): LogicalSegment => {
    const to = points[place + 1] ?? end
    const policies = own.epochs.filter(({ at }) => at <= from).at(-1)?.policies ?? []
    const none = { ...NO_POLICIES, from, to }
    const point = EvidenceTimes.pointAt(evidence, from)
    if (policies.length === 0 || point === undefined) return none
    if (isAllowed(context, given, from)) return { ...none, was: "Compliant", wouldBe: "Compliant" }
    const { bound, recorded } = point
    const facts = RowReplay.factsWithin(context, row, bound)
    const seen = recorded === bound ? facts : RowReplay.factsWithin(context, row, recorded)
    const evaluate = RowReplay.evaluateOn(facts, own.momentAt(from))
    const evaluateThen =
      context.evidence === "judged"
        ? RowReplay.evaluateOn(seen, own.momentAt(recorded.at))
        : evaluate
    return { from, to, ...evaluateRow(context, own, { row, policies, evaluate, evaluateThen }) }
  })
}

/** Whether a fingerprint runs under several names, so that another row may have failed. */
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
