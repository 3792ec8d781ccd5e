/** A candidate × rows → what it would say about them, storing nothing. SPEC §4.6, DECISION B-370 */
import type { PolicyDecision } from "../policy/PolicyDecision.js"
import * as PolicyEvaluation from "../policy/PolicyEvaluation.js"
import type { Facts } from "../policy/PolicyFacts.js"
import type { PolicyReason } from "../policy/PolicyReason.js"
import * as PolicyRemedy from "../policy/PolicyRemedy.js"
import type { Remedy } from "../policy/RemedyStep.js"
import type { Verdict } from "../shared/Verdict.js"
import * as SnapshotCounts from "../snapshot/SnapshotCounts.js"

/** The most rows of one answer. */
export const SHOWN_MAX = 1_000

/** The most rows of one answer that have remedies. */
export const REMEDIED_MAX = 100

/** Which rows are shown. */
export type Shown = "flips" | "failing" | "all"

/** A row to be judged. */
export interface TriedRow {
  readonly facts: Facts
  /** The verdict that it has; null where it has none. */
  readonly was: Verdict | null
  /** Whether the allow-list makes it compliant, whatever policies say. */
  readonly isAllowed: boolean
}

/** A row with what would be said about it. */
export interface JudgedRow extends TriedRow {
  readonly verdict: Verdict
  readonly decisions: ReadonlyArray<PolicyDecision>
  readonly reasons: ReadonlyArray<PolicyReason>
  /** Only where they are asked for. */
  readonly remedies?: ReadonlyArray<Remedy>
}

/** What would be said about all rows. */
export interface DryRun {
  readonly verdict: Verdict
  readonly counts: SnapshotCounts.SnapshotCounts
  readonly rows: ReadonlyArray<JudgedRow>
  readonly leftOut: number
}

/** What is shown, and how many remedies each row that fails has. */
export interface DryRunOptions {
  readonly show: Shown
  readonly remedies: number
}

const isShown = ({ verdict, was }: JudgedRow, show: Shown): boolean =>
  show === "all" ||
  (show === "failing" ? verdict === "NonCompliant" : was !== null && verdict !== was)

/** What policies say about a row; the reasons of one that is allowed are none. */
export const judgeRow = (compiled: PolicyEvaluation.CompiledPolicies, row: TriedRow): JudgedRow => {
  const evaluation = PolicyEvaluation.evaluate(compiled, row.facts)
  const verdict = row.isAllowed ? "Compliant" : evaluation.verdict
  return {
    ...row,
    verdict,
    decisions: evaluation.policy_decisions,
    reasons: verdict === "NonCompliant" ? PolicyEvaluation.reasons(compiled, evaluation) : []
  }
}

const withRemedies = (
  compiled: PolicyEvaluation.CompiledPolicies,
  rows: ReadonlyArray<JudgedRow>,
  limit: number
): ReadonlyArray<JudgedRow> => {
  let left = REMEDIED_MAX
  return rows.map((row) => {
    if (limit === 0 || row.verdict !== "NonCompliant" || left === 0) return row
    left -= 1
    return { ...row, remedies: PolicyRemedy.remedies(compiled, row.facts, { limit }) }
  })
}

/** Judges rows by a set of policies in which the candidate stands. */
export const judge = (
  compiled: PolicyEvaluation.CompiledPolicies,
  rows: ReadonlyArray<TriedRow>,
  { remedies, show }: DryRunOptions
): DryRun => {
  const judged = rows.map((row) => judgeRow(compiled, row))
  const counts = SnapshotCounts.count(judged)
  const shown = judged.filter((row) => isShown(row, show))
  const enforced = PolicyEvaluation.enforced(compiled)
  return {
    verdict: SnapshotCounts.verdictOf(counts, { hasPolicies: enforced.policies.length > 0 }),
    counts,
    rows: withRemedies(enforced, shown.slice(0, SHOWN_MAX), remedies),
    leftOut: Math.max(0, shown.length - SHOWN_MAX)
  }
}
