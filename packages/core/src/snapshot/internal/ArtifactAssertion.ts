/**
 * Whether an artifact would be compliant, asked without a report: by its flows, by named policies, or by
 * those of an environment. SPEC §3.15
 *
 * The same facts and the same evaluation as a snapshot's, except that no allow-list is looked at.
 */
import type { RecordStatus } from "../../compliance/ComplianceStatus.js"
import type { PolicyDecision } from "../../policy/PolicyDecision.js"
import * as PolicyEvaluation from "../../policy/PolicyEvaluation.js"
import type { Facts } from "../../policy/PolicyFacts.js"
import type { PolicyReason } from "../../policy/PolicyReason.js"

/** What an artifact is held against. */
export type AssertionScope = "flow" | "environment" | "policy"

/** What one flow knows about the artifact. */
export interface AssertedFlow {
  readonly flow_name: string
  readonly trail_name: string
  readonly standing: RecordStatus
}

/** The answer: yes or no, and why. */
export interface ArtifactAssertion {
  readonly scope: AssertionScope
  readonly compliant: boolean
  /** In the order in which the policies were asked for. */
  readonly policy_decisions: ReadonlyArray<PolicyDecision>
  readonly reasons: ReadonlyArray<PolicyReason>
  readonly flows: ReadonlyArray<AssertedFlow>
}

/** What is asked: the artifact as its flows know it, and the policies that it is held against. */
export interface Asserted {
  readonly scope: AssertionScope
  readonly compiled: PolicyEvaluation.CompiledPolicies
  /** Names of the policies in the order asked; all others come after them, by name. */
  readonly order: ReadonlyArray<string>
  readonly facts: Facts
  readonly flows: ReadonlyArray<AssertedFlow>
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

/** Whether every flow that knows the artifact finds it compliant, and there is one. */
export const compliantInFlows = (flows: ReadonlyArray<AssertedFlow>): boolean =>
  flows.length > 0 && flows.every(({ standing }) => standing.status === "COMPLIANT")

/** Answers. Without a policy the flows decide, in whatever scope. DECISION D6.22 */
export const decide = ({ compiled, facts, flows, order, scope }: Asserted): ArtifactAssertion => {
  const evaluation = PolicyEvaluation.evaluate(compiled, facts)
  const { policy_decisions, verdict } = evaluation
  return {
    scope,
    compliant: verdict === "Unknown" ? compliantInFlows(flows) : verdict === "Compliant",
    policy_decisions: inOrder(policy_decisions, order),
    reasons: PolicyEvaluation.reasons(compiled, evaluation),
    flows
  }
}
