/**
 * Evaluates a row on visible evidence, and finds evidence that arrived after the row started. SPEC §4.5
 *
 * Pure. Evidence is late if the evaluation of the snapshot in which the row started could not see it. It is decisive
 * if a decision differs without all late evidence of its name.
 */
import type { Moment } from "../../policy/Moment.js"
import type { PolicyDecision } from "../../policy/PolicyDecision.js"
import * as PolicyEvaluation from "../../policy/PolicyEvaluation.js"
import type { Facts } from "../../policy/PolicyFacts.js"
import * as CommitPosition from "../../shared/CommitPosition.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import type { TrailAttestation } from "../../snapshot/RowFacts.js"
import * as FactTimeline from "../FactTimeline.js"
import type { FingerprintHistory } from "../FingerprintHistory.js"

/** Evidence that was accepted after its row started. */
export interface LateEvidence {
  readonly attestation_id: string
  readonly attestation_name: string
  readonly attestation_type: string
  readonly is_compliant: boolean
  readonly reported_at: Timestamp
  readonly late_by_seconds: number
  /** Whether a decision would differ without the late evidence of this name. */
  readonly decisive: boolean
}

/** A row, and the bound on its visible evidence. */
export interface AskedRow {
  readonly name: string
  readonly fingerprint: string
  readonly history: FingerprintHistory
  /** The facts over time, computed from `history`. */
  readonly timeline: FactTimeline.FactTimeline
  readonly bound: CommitPosition.VisibilityBound
  readonly moment: Moment
}

/** The facts of a row. */
export const factsOf = ({ fingerprint, bound, name, timeline }: AskedRow): Facts => ({
  artifact: { name, fingerprint },
  flows: timeline.at(bound).map(({ view }) => view)
})

/** The decisions about facts at a moment. */
export const decideFacts = (
  compiled: PolicyEvaluation.CompiledPolicies,
  facts: Facts,
  moment: Moment
): ReadonlyArray<PolicyDecision> =>
  PolicyEvaluation.evaluate(compiled, facts, moment).policy_decisions

/** The decisions about a row. */
export const decide = (
  compiled: PolicyEvaluation.CompiledPolicies,
  row: AskedRow
): ReadonlyArray<PolicyDecision> => decideFacts(compiled, factsOf(row), row.moment)

/** The attestations that count for a row and were accepted after it started, in the order of reports. */
const lateOf = (
  { history, bound, timeline }: AskedRow,
  started: CommitPosition.VisibilityBound
): ReadonlyArray<TrailAttestation> => {
  const counting = new Set(
    timeline.at(bound).flatMap(({ view }) => view.attestations.map(({ sequence }) => sequence))
  )
  return history.trails
    .flatMap((trail) => {
      const places = new Map(FactTimeline.eventsOf(trail).map((event) => [event.sequence, event]))
      return trail.attestations.filter(({ sequence }) => {
        const place = places.get(sequence)
        return (
          counting.has(sequence) && place !== undefined && !CommitPosition.isVisible(place, started)
        )
      })
    })
    .sort((left, right) => left.sequence - right.sequence)
}

/** The history without some attestations; their events stay, so that other evidence keeps its position. */
const without = (history: FingerprintHistory, left: ReadonlySet<number>): FingerprintHistory => ({
  ...history,
  trails: history.trails.map((trail) => ({
    ...trail,
    attestations: trail.attestations.filter(({ sequence }) => !left.has(sequence))
  }))
})

/** The outcome of each rule of each policy in each flow, as one text to compare. */
const outcomesOf = (decisions: ReadonlyArray<PolicyDecision>): string =>
  JSON.stringify(
    decisions.map(({ policy_name, rule_evaluations, status }) => [
      policy_name,
      status,
      rule_evaluations.map(({ resolutions }) => resolutions.map(({ type }) => type))
    ])
  )

/** The late evidence of a row, in the order of reports. */
export const lateEvidence = (
  compiled: PolicyEvaluation.CompiledPolicies,
  row: AskedRow,
  started: CommitPosition.VisibilityBound
): ReadonlyArray<LateEvidence> => {
  const late = lateOf(row, started)
  if (late.length === 0) return []
  const decided = outcomesOf(decide(compiled, row))
  const decisive = new Map<string, boolean>()
  for (const name of new Set(late.map((each) => each.name))) {
    const left = new Set(late.filter((each) => each.name === name).map(({ sequence }) => sequence))
    const history = without(row.history, left)
    const again = decide(compiled, { ...row, history, timeline: FactTimeline.make(history) })
    decisive.set(name, outcomesOf(again) !== decided)
  }
  return late.map((each) => ({
    attestation_id: each.id,
    attestation_name: each.name,
    attestation_type: each.type,
    is_compliant: each.isCompliant,
    reported_at: each.at,
    late_by_seconds: Math.max(0, (each.at - started.at) / 1_000_000),
    decisive: decisive.get(each.name) ?? false
  }))
}
