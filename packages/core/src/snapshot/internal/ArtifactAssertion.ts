/**
 * Whether an artifact would be compliant, without a report: by its flows, by named policies, or by those of an
 * environment. SPEC §3.15
 *
 * The facts and the evaluation are those of a snapshot. As in a snapshot, an artifact on the allow-list of the
 * environment is compliant, and its policies are still evaluated and shown.
 */
import type { RecordStatus } from "../../compliance/ComplianceStatus.js"
import type { Moment } from "../../policy/Moment.js"
import type { PolicyDecision } from "../../policy/PolicyDecision.js"
import * as PolicyEvaluation from "../../policy/PolicyEvaluation.js"
import type { Facts } from "../../policy/PolicyFacts.js"
import type { PolicyReason } from "../../policy/PolicyReason.js"
import type { Timestamp } from "../../shared/Timestamp.js"

/** What decides about an artifact. */
export type AssertionScope = "flow" | "environment" | "policy"

/** The provenance of the artifact in one flow. */
export interface AssertedFlow {
  readonly flow_name: string
  readonly trail_name: string
  readonly standing: RecordStatus
}

/** The result of an assertion, and the reasons. */
export interface ArtifactAssertion {
  readonly scope: AssertionScope
  readonly compliant: boolean
  /** Whether it is compliant because the environment allows it. */
  readonly is_allowed: boolean
  /** In the order of the request. */
  readonly policy_decisions: ReadonlyArray<PolicyDecision>
  readonly reasons: ReadonlyArray<PolicyReason>
  /** What warning policies would say. */
  readonly warnings: ReadonlyArray<PolicyReason>
  readonly flows: ReadonlyArray<AssertedFlow>
  /**
   * The next instant at which time alone changes a decision, or the end of the entry that allows it; absent without one,
   * and where it is not compliant.
   */
  readonly expires_at?: Timestamp
}

/** An entry in force of an allow-list; its end is null without one. */
export interface Allowance {
  readonly expires_at: Timestamp | null
}

/** The inputs of an assertion: the provenance of the artifact, and the policies. */
export interface Asserted {
  readonly scope: AssertionScope
  readonly compiled: PolicyEvaluation.CompiledPolicies
  /** Names of the policies in the order of the request; all others follow by name. */
  readonly order: ReadonlyArray<string>
  readonly facts: Facts
  readonly flows: ReadonlyArray<AssertedFlow>
  /** The entry of the environment's allow-list about the artifact; undefined without one in force. */
  readonly allowance: Allowance | undefined
  readonly moment: Moment
}

const inOrder = (
  decisions: ReadonlyArray<PolicyDecision>,
  order: ReadonlyArray<string>
): ReadonlyArray<PolicyDecision> => {
  const place = new Map([...new Set(order)].map((name, index) => [name, index]))
  const placeOf = ({ policy_name }: PolicyDecision): number =>
    place.get(policy_name) ?? order.length
  return [...decisions].sort((left, right) => placeOf(left) - placeOf(right))
}

/** Whether the artifact has provenance, and is compliant in every flow. */
export const compliantInFlows = (flows: ReadonlyArray<AssertedFlow>): boolean =>
  flows.length > 0 && flows.every(({ standing }) => standing.status === "COMPLIANT")

/** The later of two ends; null, which is no end, is the latest. */
const later = (left: Timestamp | null, right: Timestamp | null): Timestamp | null =>
  left === null || right === null ? null : left > right ? left : right

const PROVENANCE = PolicyEvaluation.compile([PolicyEvaluation.REQUIRE_PROVENANCE])

/**
 * Decides an assertion. Without a policy the flows decide, in any scope, so an artifact that no flow knows fails as it
 * would where provenance is required. An empty table must not pass.
 */
export const decide = (asserted: Asserted): ArtifactAssertion => {
  const { allowance, compiled, facts, flows, moment, order, scope } = asserted
  const isAllowed = allowance !== undefined
  const evaluation = PolicyEvaluation.evaluate(compiled, facts, moment)
  const { policy_decisions, verdict } = evaluation
  const passes = verdict === "Unknown" ? compliantInFlows(flows) : verdict === "Compliant"
  const reasons =
    verdict === "Unknown"
      ? PolicyEvaluation.reasons(PROVENANCE, PolicyEvaluation.evaluate(PROVENANCE, facts))
      : PolicyEvaluation.reasons(compiled, evaluation)
  const policiesUntil = passes ? PolicyEvaluation.nextChange(compiled, facts, moment) : moment.now
  const next = isAllowed ? later(policiesUntil, allowance.expires_at) : policiesUntil
  return {
    scope,
    ...(next === null || !(passes || isAllowed) ? {} : { expires_at: next }),
    compliant: passes || isAllowed,
    is_allowed: isAllowed && !passes,
    policy_decisions: inOrder(policy_decisions, order),
    reasons: isAllowed ? [] : reasons,
    warnings: PolicyEvaluation.warnings(compiled, evaluation),
    flows
  }
}
