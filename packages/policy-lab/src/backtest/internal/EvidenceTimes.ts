/**
 * The evidence on which a row is evaluated over time, with the instants at which time alone turns a policy.
 *
 * Recorded evaluations decide about evidence. A policy that turns in between would have been evaluated at that instant,
 * on the evidence accepted by it. Pure; `test/backtest/PolicyBacktestModel` is the slow model.
 */

import type { VisibilityBound } from "@attestry/core/CommitPosition"
import type { MomentAt } from "@attestry/core/EnvironmentMoments"
import * as PolicyEvaluation from "@attestry/core/PolicyEvaluation"
import type { Facts } from "@attestry/core/PolicyFacts"
import type { Timestamp } from "@attestry/core/Timestamp"

/** The evidence that counts from an instant on. */
export interface EvidencePoint {
  readonly at: Timestamp
  readonly bound: VisibilityBound
  /** The evidence of the recorded evaluation; only `bound` depends on turns. */
  readonly recorded: VisibilityBound
}

/** The policies that time may turn, and their inputs. */
export interface Turning {
  readonly policies: ReadonlyArray<PolicyEvaluation.CompiledPolicies>
  readonly momentAt: MomentAt
  readonly factsWithin: (bound: VisibilityBound) => Facts
  /** The bound on the evidence at a turn. */
  readonly boundAt: (instant: Timestamp) => VisibilityBound
}

/** The first instant after a point at which time alone turns a policy; undefined if there is none. */
const nextTurn = (
  { bound, at }: EvidencePoint,
  { factsWithin, momentAt, policies }: Turning
): Timestamp | undefined => {
  const [facts, moment] = [factsWithin(bound), momentAt(at)]
  let first: Timestamp | undefined
  for (const compiled of policies) {
    const next = PolicyEvaluation.nextChange(compiled, facts, moment)
    if (next !== null && (first === undefined || next < first)) first = next
  }
  return first
}

/** Points in order, and those of turns between them, up to an end. */
export const withTurns = (
  points: ReadonlyArray<EvidencePoint>,
  end: Timestamp,
  turning: Turning
): ReadonlyArray<EvidencePoint> =>
  turning.policies.length === 0
    ? points
    : points.flatMap((start, place) => {
        const until = points[place + 1]?.at ?? end
        const found = [start]
        let next = nextTurn(start, turning)
        while (next !== undefined && next < until) {
          const turn = { at: next, bound: turning.boundAt(next), recorded: start.recorded }
          found.push(turn)
          next = nextTurn(turn, turning)
        }
        return found
      })

/** The point that counts at an instant; the first one before all of them. */
export const pointAt = (
  points: ReadonlyArray<EvidencePoint>,
  instant: Timestamp
): EvidencePoint | undefined => points.filter(({ at }) => at <= instant).at(-1) ?? points[0]

/** The instants within a time, in order, with its beginning. */
export const instantsWithin = (
  { from, to }: { readonly from: Timestamp; readonly to: Timestamp },
  instants: ReadonlyArray<Timestamp>
): ReadonlyArray<Timestamp> => {
  const within = new Set(instants.filter((at) => at > from && at < to))
  return [from, ...[...within].sort((left, right) => left - right)]
}
