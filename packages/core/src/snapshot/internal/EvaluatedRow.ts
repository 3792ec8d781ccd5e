/**
 * Rows of a snapshot with their full decisions, and the policies of the snapshot.
 *
 * Assembled at the read, from the stored results and the dumps of policy versions.
 */
import type { AppliedPolicy, PolicyDump } from "../../policy/AppliedPolicy.js"
import type { PolicyDecision } from "../../policy/PolicyDecision.js"
import { toField } from "../../policy/PolicyMode.js"
import type { PolicyReason } from "../../policy/PolicyReason.js"
import type { VersionKey } from "../../policy/PolicySets.js"
import type { FlowId, FlowName } from "../../shared/Identifier.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import type { PlacedRow } from "../LogicalRows.js"
import * as RowDecision from "../RowDecision.js"
import type { Snapshot } from "../Snapshot.js"

/** A row with its environment and its full decisions. */
export interface EvaluatedRow extends PlacedRow {
  readonly policy_decisions: ReadonlyArray<PolicyDecision>
  readonly reasons: ReadonlyArray<PolicyReason>
  /** What warning policies would say. */
  readonly warnings: ReadonlyArray<PolicyReason>
  /** Until when it stays compliant without new evidence; absent without an end, and in all but the latest snapshot. */
  readonly expires_at?: Timestamp
}

/** The dump of a policy version. */
export type DumpOf = (key: Omit<VersionKey, "name">) => PolicyDump | null

/** The policy versions of a snapshot and its rows, each once. */
export const versionsOf = (
  { policies }: Snapshot,
  rows: ReadonlyArray<Pick<PlacedRow, "decisions">>
): ReadonlyArray<VersionKey> => {
  const versions = new Map<string, VersionKey>(
    policies.map((policy) => [`${policy.id} ${policy.version}`, policy])
  )
  for (const { decisions } of rows)
    for (const { policy_id: id, policy_name: name, version } of decisions)
      versions.set(`${id} ${version}`, { id, name, version })
  return [...versions.values()]
}

/** A row with its end, where it has one. */
export const withExpiry =
  (expiryOf: (row: PlacedRow) => Timestamp | undefined) =>
  (row: EvaluatedRow): EvaluatedRow => {
    const expires_at = expiryOf(row)
    return expires_at === undefined ? row : { ...row, expires_at }
  }

/** The full decisions about a row. */
type Decided = Pick<EvaluatedRow, "policy_decisions" | "reasons" | "warnings">

const decide = (
  { decisions, verdict }: PlacedRow,
  views: ReadonlyArray<RowDecision.ShownView>,
  dumpOf: DumpOf
): Decided => {
  const policy_decisions = decisions.map((decision) =>
    RowDecision.toDecision(
      decision,
      dumpOf({ id: decision.policy_id, version: decision.version }),
      views
    )
  )
  return {
    policy_decisions,
    reasons: RowDecision.reasonsOf(verdict, policy_decisions),
    warnings: RowDecision.warningsOf(policy_decisions)
  }
}

/**
 * Adds the full decisions to rows; a flow that no longer exists has no name. Rows with equal decisions in the
 * same flows share them.
 */
export const decider = (
  flowNames: ReadonlyMap<FlowId, FlowName>,
  dumpOf: DumpOf
): ((row: PlacedRow) => EvaluatedRow) => {
  const known = new Map<string, Decided>()
  return (row) => {
    const views = row.flows.map(({ flow_id, status, trail_name }) => ({
      flow_name: flowNames.get(flow_id) ?? "",
      trail_name,
      status
    }))
    const key = JSON.stringify([row.verdict, row.decisions, views])
    const decided = known.get(key) ?? decide(row, views, dumpOf)
    known.set(key, decided)
    return { ...row, ...decided }
  }
}

/** The policies of a snapshot, each with the running rows that it fails. */
export const appliedPolicies = (
  { policies, rows }: Snapshot,
  dumpOf: DumpOf
): ReadonlyArray<AppliedPolicy> =>
  policies.map(({ failing, id, mode, name, version }) => ({
    id,
    name,
    version,
    policy_dump: dumpOf({ id, version }),
    failing_artifacts:
      failing ??
      [
        ...new Set(
          rows.flatMap(({ annotation, decisions, fingerprint }) =>
            annotation.type !== "exited" &&
            decisions.some(({ policy_id, status }) => policy_id === id && status !== "COMPLIANT")
              ? [fingerprint]
              : []
          )
        )
      ].sort(),
    ...toField(mode)
  }))
