/**
 * One recorded row of a part × the candidate → its recorded verdicts over time, and those with the candidate.
 *
 * The candidate is evaluated at the evaluation that counts at the beginning of the part, at the first evaluation after
 * each change of the row's facts, and at the instants at which time alone turns it. No other evaluation can have
 * another result.
 */

import * as CommitPosition from "@attestry/core/CommitPosition"
import type { MomentAt } from "@attestry/core/EnvironmentMoments"
import type { EvaluationTimeline } from "@attestry/core/EvaluationTimeline"
import type { FactTimeline } from "@attestry/core/FactTimeline"
import type { RecordedRow, SnapshotEvaluation } from "@attestry/core/HistoryStore"
import type { Moment } from "@attestry/core/Moment"
import type { PolicyDecision } from "@attestry/core/PolicyDecision"
import * as PolicyEvaluation from "@attestry/core/PolicyEvaluation"
import type { Facts } from "@attestry/core/PolicyFacts"
import { isEnforced } from "@attestry/core/PolicyMode"
import type { PolicyReason } from "@attestry/core/PolicyReason"
import { SEMANTICS } from "@attestry/core/PolicySemantics"
import * as RowDecision from "@attestry/core/RowDecision"
import type { Timestamp } from "@attestry/core/Timestamp"
import {
  instantsOf,
  isValidAt,
  isValidFor,
  type ValidityPeriod
} from "@attestry/core/ValidityPeriod"
import type { Verdict } from "@attestry/core/Verdict"
import * as EvidenceTimes from "./EvidenceTimes.js"
import type { HistoryPart } from "./HistoryPart.js"

/** The evidence of a backtest: that of each recorded evaluation, that accepted by each instant, or that of now. */
export type BacktestEvidence = "judged" | "known" | "now"

/** The context in which the rows of a part are replayed. */
export interface BacktestContext {
  /** The candidate alone. */
  readonly candidate: PolicyEvaluation.CompiledPolicies
  /** The name of the policy that it replaces; null where it is added to the others. */
  readonly replaces: string | null
  readonly evidence: BacktestEvidence
  /** Whether the replaced versions are evaluated too. */
  readonly verify: boolean
  /** The last commit position that the backtest reads. */
  readonly horizon: CommitPosition.CommitPosition
  readonly evaluations: EvaluationTimeline
  /** The snapshots in which rows of the part or their intervals begin, by index. */
  readonly started: ReadonlyMap<number, SnapshotEvaluation>
  readonly allowedPeriods: (fingerprint: string) => ReadonlyArray<ValidityPeriod>
  readonly timelineOf: (fingerprint: string) => FactTimeline
  /** The moments of the environment. */
  readonly momentAt: MomentAt
  /** A version of a policy alone; undefined for one that is not stored. */
  readonly versionOf: (key: {
    readonly id: string
    readonly version: number
  }) => PolicyEvaluation.CompiledPolicies | undefined
}

/** The numbers of rows whose recorded decisions a replay does not reproduce, by cause. */
export interface Mismatches {
  /** Without a known cause. */
  readonly rows: number
  /** Evaluated under other semantics of rules; they are not replayed. */
  readonly other_semantics: number
  /** Evaluated by the policies of a logical environment while evidence was committed; no lock orders the two. */
  readonly in_flight: number
}

/** A time in which both verdicts of a row are constant. */
export interface Segment {
  readonly row: RecordedRow
  readonly from: Timestamp
  readonly to: Timestamp
  readonly was: Verdict
  readonly wouldBe: Verdict
  /** Computed when asked for: most flips of a long history are counted and not listed. */
  readonly reasons: () => ReadonlyArray<PolicyReason>
}

/** The segments of a row, and the numbers of those that are not reproduced. */
export interface RowReplay {
  readonly segments: ReadonlyArray<Segment>
  readonly unreproduced: Mismatches
}

/** The time of a row with one verdict, cut to the part. */
interface RowInterval {
  readonly row: RecordedRow
  /** Whether its first snapshot is within the part. */
  readonly isWhole: boolean
  readonly from: Timestamp
  readonly to: Timestamp
}

/** No reasons. */
export const NO_REASONS = (): ReadonlyArray<PolicyReason> => []

/** The instants at which the allow-list changes for a fingerprint. */
export const allowListInstants = (
  context: BacktestContext,
  fingerprint: string
): ReadonlyArray<Timestamp> => context.allowedPeriods(fingerprint).flatMap(instantsOf)

/** Whether the allow-list has the row; at its beginning, the commit position of its snapshot decides. */
const isAllowed = (
  context: BacktestContext,
  { from, isWhole, row }: RowInterval,
  instant: Timestamp
): boolean => {
  const snapshot = context.started.get(row.firstIndex)
  const periods = context.allowedPeriods(row.fingerprint)
  return isWhole && instant === from && snapshot !== undefined
    ? periods.some((each) => isValidFor(each, snapshot))
    : periods.some((each) => isValidAt(each, instant))
}

/** The bound of all evidence up to the horizon. */
export const boundAtHorizon = ({
  horizon: { at, position }
}: BacktestContext): CommitPosition.CommitPosition =>
  // WHY one more: the horizon is the highest position so far, and an evaluation sees the positions below its own.
  ({ position: position + 1, at })

/** The bound on the evidence of a row at an instant. */
const boundAt = (
  context: BacktestContext,
  { row }: RowInterval,
  instant: Timestamp
): CommitPosition.VisibilityBound => {
  if (context.evidence === "known") return CommitPosition.asOf(instant)
  if (context.evidence === "now") return boundAtHorizon(context)
  const start = context.started.get(row.startedIndex)
  return start === undefined
    ? CommitPosition.asOf(instant)
    : context.evaluations.evaluatedAt(start, instant)
}

/** The instants at which changed facts count for the first time. */
const factInstants = (
  context: BacktestContext,
  interval: RowInterval
): ReadonlyArray<Timestamp> => {
  const { events } = context.timelineOf(interval.row.fingerprint)
  if (context.evidence === "now") return []
  if (context.evidence === "known") return events.map(({ at }) => at)
  const first = boundAt(context, interval, interval.from)
  return events.flatMap((event) => {
    const evaluation = CommitPosition.isVisible(event, first)
      ? undefined
      : context.evaluations.firstAfter(event)
    return evaluation === undefined ? [] : [evaluation.at]
  })
}

/** The bound on the evidence at an instant at which time alone turns a policy. */
export const boundAtTurn = (
  context: BacktestContext,
  instant: Timestamp
): CommitPosition.VisibilityBound => {
  if (context.evidence === "known") return CommitPosition.asOf(instant)
  const horizon = boundAtHorizon(context)
  return context.evidence === "now" ? horizon : { ...horizon, until: instant }
}

/** The facts of a row within a bound. */
export const factsWithin = (
  context: BacktestContext,
  { fingerprint, name }: RecordedRow,
  bound: CommitPosition.VisibilityBound
): Facts => ({
  artifact: { name, fingerprint },
  flows: context
    .timelineOf(fingerprint)
    .at(bound)
    .map(({ view }) => view)
})

/** The policies that are evaluated for a row and that time may turn. */
const turningOf = (context: BacktestContext, { decisions }: RecordedRow) => {
  const others = decisions.filter(({ policy_name }) => policy_name !== context.replaces)
  const evaluated =
    context.evidence === "judged"
      ? []
      : others.flatMap(({ policy_id: id, version }) => context.versionOf({ id, version }) ?? [])
  return [context.candidate, ...evaluated].filter(({ isTimed }) => isTimed)
}

/** The evidence of an interval over time; its first point may be before the interval. */
const evidenceOf = (
  context: BacktestContext,
  interval: RowInterval
): ReadonlyArray<EvidenceTimes.EvidencePoint> => {
  const { from, row, to } = interval
  const points = EvidenceTimes.instantsWithin(interval, factInstants(context, interval)).map(
    (instant) => {
      const bound = boundAt(context, interval, instant)
      // WHY: what time has turned since that evaluation does not depend on where the part begins.
      const at = instant === from && bound.at < from ? bound.at : instant
      return { at, bound, recorded: bound }
    }
  )
  return EvidenceTimes.withTurns(points, to, {
    policies: turningOf(context, row),
    momentAt: context.momentAt,
    factsWithin: (bound) => factsWithin(context, row, bound),
    boundAt: (instant) => boundAtTurn(context, instant)
  })
}

/** An instant of an interval at which its evidence or the allow-list may change. */
interface EvaluationPoint extends EvidenceTimes.EvidencePoint {
  readonly from: Timestamp
}

/** The instants of an interval at which its evidence or the allow-list may change, in order, with its beginning. */
const pointsOf = (
  context: BacktestContext,
  interval: RowInterval
): ReadonlyArray<EvaluationPoint> => {
  const evidence = evidenceOf(context, interval)
  const changes = [
    ...evidence.map(({ at }) => at),
    ...allowListInstants(context, interval.row.fingerprint)
  ]
  return EvidenceTimes.instantsWithin(interval, changes).flatMap((from) => {
    const point = EvidenceTimes.pointAt(evidence, from)
    return point === undefined ? [] : [{ ...point, from }]
  })
}

/** Evaluates policies on facts at a moment. */
export const evaluateOn =
  (facts: Facts, moment: Moment) => (compiled: PolicyEvaluation.CompiledPolicies) =>
    PolicyEvaluation.evaluate(compiled, facts, moment)

/** Evaluates policies on a row. */
export type Evaluate = ReturnType<typeof evaluateOn>

/** Whether the candidate passes a row, and why not. */
export const candidateAt = (
  { candidate }: Pick<BacktestContext, "candidate">,
  evaluate: Evaluate
) => {
  const evaluation = evaluate(candidate)
  return {
    passes: evaluation.verdict === "Compliant",
    reasons: () => PolicyEvaluation.reasons(candidate, evaluation)
  }
}

/** WHY without the stored form: it is compared for every row of a history, and its texts were a fifth of the work. */
const isSame = (recorded: RowDecision.RowDecision, [decision]: ReadonlyArray<PolicyDecision>) => {
  if (decision === undefined || decision.status !== recorded.status) return false
  const { rule_evaluations: rules } = decision
  return (
    rules.length === recorded.outcomes.length &&
    rules.every(({ resolutions }, place) => {
      const outcomes = recorded.outcomes[place]
      return (
        outcomes?.length === resolutions.length &&
        resolutions.every(({ type }, at) => type === outcomes[at])
      )
    })
  )
}

/** Whether the replay reproduces the recorded decision of the replaced policy, and the verdict. */
const isReproduced = (
  context: BacktestContext,
  { decisions, verdict }: RecordedRow,
  { evaluate, isAllowed }: { readonly evaluate: Evaluate; readonly isAllowed: boolean }
): boolean => {
  const replaced = decisions.find((decision) => decision.policy_name === context.replaces)
  const version =
    replaced === undefined
      ? undefined
      : context.versionOf({ id: replaced.policy_id, version: replaced.version })
  if (replaced !== undefined && version !== undefined)
    if (!isSame(replaced, evaluate(version).policy_decisions)) return false
  return verdict === (isAllowed ? "Compliant" : RowDecision.verdictOf(decisions))
}

/** Whether every other policy passes the row: as recorded, or on the evidence that the request asks for. */
const othersPass = (
  context: BacktestContext,
  others: ReadonlyArray<RowDecision.RowDecision>,
  evaluate: Evaluate
): boolean =>
  others.every((decision) => {
    if (context.evidence === "judged") return decision.status === "COMPLIANT"
    const version = context.versionOf({ id: decision.policy_id, version: decision.version })
    return version === undefined
      ? decision.status === "COMPLIANT"
      : evaluate(version).policy_decisions.every(({ status }) => status === "COMPLIANT")
  })

/** The verdict of a row with the candidate, and its reasons. */
const wouldBe = (
  context: BacktestContext,
  row: RecordedRow,
  { evaluate, isAllowed }: { readonly evaluate: Evaluate; readonly isAllowed: boolean }
): Pick<Segment, "wouldBe" | "reasons"> => {
  const enforced = row.decisions.filter(isEnforced)
  const others = enforced.filter(({ policy_name }) => policy_name !== context.replaces)
  const isReplaced = context.replaces === null || others.length < enforced.length
  if (!isReplaced && context.evidence === "judged")
    return { wouldBe: row.verdict, reasons: NO_REASONS }
  if (isAllowed) return { wouldBe: "Compliant", reasons: NO_REASONS }
  if (!isReplaced && others.length === 0) return { wouldBe: "Unknown", reasons: NO_REASONS }
  const { passes, reasons } = isReplaced
    ? candidateAt(context, evaluate)
    : { passes: true, reasons: NO_REASONS }
  return {
    wouldBe: passes && othersPass(context, others, evaluate) ? "Compliant" : "NonCompliant",
    reasons
  }
}

/** The intervals of a row within the part. */
const intervalsOf = (
  { from, heads, to }: HistoryPart,
  rows: ReadonlyArray<RecordedRow>
): ReadonlyArray<RowInterval> => {
  const base = heads[0]?.index ?? 0
  return rows
    .map((row) => {
      const start = heads[row.firstIndex - base]?.timestamp ?? from
      const end = heads[row.lastIndex + 1 - base]?.timestamp ?? to
      const isWhole = start >= from
      return { row, isWhole, from: isWhole ? start : from, to: end < to ? end : to }
    })
    .filter((interval) => interval.from < interval.to)
}

const NONE: Mismatches = { rows: 0, other_semantics: 0, in_flight: 0 }

/** Replays one interval of a row; null where the recorded decision is not reproduced. */
const replayInterval = (
  context: BacktestContext,
  interval: RowInterval
): ReadonlyArray<Segment> | null => {
  const { row } = interval
  const points = pointsOf(context, interval)
  const isChecked = context.verify && context.evidence === "judged"
  const segments: Array<Segment> = []
  for (const [place, { bound, from, recorded }] of points.entries()) {
    const isListed = isAllowed(context, interval, from)
    const facts = factsWithin(context, row, bound)
    if (isChecked) {
      const seen = recorded === bound ? facts : factsWithin(context, row, recorded)
      const evaluate = evaluateOn(seen, context.momentAt(recorded.at))
      if (!isReproduced(context, row, { evaluate, isAllowed: isListed })) return null
    }
    const evaluate = evaluateOn(facts, context.momentAt(from))
    const to = points[place + 1]?.from ?? interval.to
    const would = wouldBe(context, row, { evaluate, isAllowed: isListed })
    segments.push({ row, from, to, was: row.verdict, ...would })
  }
  return segments
}

/**
 * Whether a row may have been decided under other semantics.
 *
 * WHY both snapshots: while servers of two releases work, one decides what the other has started.
 */
const isOfOtherSemantics = (
  { started }: BacktestContext,
  { firstIndex, startedIndex }: RecordedRow
): boolean =>
  [startedIndex, firstIndex].some((index) => {
    const snapshot = started.get(index)
    return snapshot !== undefined && snapshot.semantics !== SEMANTICS
  })

/** The verdicts of a row over time; intervals that are not reproduced keep their recorded verdict. */
export const segmentsOf = (
  part: HistoryPart,
  rows: ReadonlyArray<RecordedRow>,
  context: BacktestContext
): RowReplay => {
  const segments: Array<Segment> = []
  let unreproduced = NONE
  for (const interval of intervalsOf(part, rows)) {
    const { row } = interval
    const isOther = isOfOtherSemantics(context, row)
    const replayed = isOther ? null : replayInterval(context, interval)
    if (replayed === null) {
      const cause = isOther ? "other_semantics" : "rows"
      unreproduced = { ...unreproduced, [cause]: unreproduced[cause] + 1 }
      const { from, to } = interval
      const { verdict } = row
      segments.push({ row, from, to, was: verdict, wouldBe: verdict, reasons: NO_REASONS })
    } else for (const segment of replayed) segments.push(segment)
  }
  return { segments, unreproduced }
}
