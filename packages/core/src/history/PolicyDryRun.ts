/** A candidate × rows → what it would say about them, storing nothing. SPEC §4.6 */
import type { PolicyDecision } from "../policy/PolicyDecision.js"
import * as PolicyEvaluation from "../policy/PolicyEvaluation.js"
import type { Facts } from "../policy/PolicyFacts.js"
import type { PolicyReason } from "../policy/PolicyReason.js"
import * as PolicyRemedy from "../policy/PolicyRemedy.js"
import type { Remedy } from "../policy/RemedyStep.js"
import { type Paused, runSync } from "../shared/internal/Paused.js"
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
  /** Only for a row of a logical environment: where it runs, and what it is judged by there. */
  readonly member?: { readonly name: string; readonly facts: Facts; readonly isAllowed: boolean }
}

/** What a policy would say. */
export interface TriedDecision extends PolicyDecision {
  /** Only for a row of a logical environment: the environment to which the policy is attached. */
  readonly environment?: string
}

/** A row with what would be said about it. */
export interface JudgedRow extends TriedRow {
  readonly verdict: Verdict
  readonly decisions: ReadonlyArray<TriedDecision>
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

/** What is answered about judged rows, and the policies that count for each. */
interface Answered extends DryRunOptions {
  readonly verdict: Verdict
  readonly policiesOf: (row: JudgedRow) => PolicyEvaluation.CompiledPolicies
}

function* withRemedies(
  rows: ReadonlyArray<JudgedRow>,
  { policiesOf, remedies: limit }: Answered
): Paused<ReadonlyArray<JudgedRow>> {
  if (limit === 0) return rows
  let left = REMEDIED_MAX
  const remedied: Array<JudgedRow> = []
  for (const row of rows) {
    if (row.verdict !== "NonCompliant" || left === 0) remedied.push(row)
    else {
      left -= 1
      const remedies = PolicyRemedy.remedies(policiesOf(row), row.facts, { limit })
      remedied.push({ ...row, remedies })
      yield
    }
  }
  return remedied
}

/** Counts judged rows, and chooses those that are shown; pauses now and then. */
export function* answering(judged: ReadonlyArray<JudgedRow>, asked: Answered): Paused<DryRun> {
  const shown = judged.filter((row) => isShown(row, asked.show))
  return {
    verdict: asked.verdict,
    counts: SnapshotCounts.count(judged),
    rows: yield* withRemedies(shown.slice(0, SHOWN_MAX), asked),
    leftOut: Math.max(0, shown.length - SHOWN_MAX)
  }
}

/** The versions with the candidate in the place of the one of its name, or beside the others. */
export const among = (
  candidate: PolicyEvaluation.PolicyVersion,
  others: ReadonlyArray<PolicyEvaluation.PolicyVersion>
): ReadonlyArray<PolicyEvaluation.PolicyVersion> => [
  ...others.filter(({ name }) => name !== candidate.name),
  candidate
]

/** Judges rows by a set of policies in which the candidate stands; pauses after each row, for `Slices.run`. */
export function* judging(
  compiled: PolicyEvaluation.CompiledPolicies,
  rows: ReadonlyArray<TriedRow>,
  options: DryRunOptions
): Paused<DryRun> {
  const judged: Array<JudgedRow> = []
  for (const row of rows) {
    judged.push(judgeRow(compiled, row))
    yield
  }
  const enforced = PolicyEvaluation.enforced(compiled)
  const hasPolicies = enforced.policies.length > 0
  return yield* answering(judged, {
    ...options,
    verdict: SnapshotCounts.verdictOf(SnapshotCounts.count(judged), { hasPolicies }),
    policiesOf: () => enforced
  })
}

/** The same in one go. */
export const judge = (
  compiled: PolicyEvaluation.CompiledPolicies,
  rows: ReadonlyArray<TriedRow>,
  options: DryRunOptions
): DryRun => runSync(judging(compiled, rows, options))
