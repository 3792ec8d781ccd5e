/**
 * Whether an artifact would be compliant, without a report: by its flows, by named policies, or by those of an
 * environment. SPEC §3.15
 *
 * The facts and the evaluation are those of a snapshot. As in a snapshot, an artifact on the allow-list of the
 * environment is compliant, and its policies are still evaluated and shown.
 */
import * as AllowListEntry from "../../allow-list/AllowListEntry.js"
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
  /** When time alone ends that it is compliant, and the reasons then; absent without an end. */
  readonly expiry?: AssertionExpiry
}

/** The instant at which time alone ends that an artifact is compliant, and the reasons that it has then. */
export interface AssertionExpiry {
  readonly at: Timestamp
  readonly reasons: ReadonlyArray<PolicyReason>
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

const PROVENANCE = PolicyEvaluation.compile([PolicyEvaluation.REQUIRE_PROVENANCE])

const reasonsOf = (
  { compiled, facts }: Pick<Asserted, "compiled" | "facts">,
  evaluation: PolicyEvaluation.PolicyEvaluation
): ReadonlyArray<PolicyReason> =>
  evaluation.verdict === "Unknown"
    ? PolicyEvaluation.reasons(PROVENANCE, PolicyEvaluation.evaluate(PROVENANCE, facts))
    : PolicyEvaluation.reasons(compiled, evaluation)

/** The end of a compliant artifact: policies fail it, and no entry of the allow-list is in force. */
const expiryOf = (asserted: Asserted, passes: boolean): AssertionExpiry | undefined => {
  const { allowance, compiled, facts, moment } = asserted
  const at = AllowListEntry.compliantUntil(
    passes ? PolicyEvaluation.failsFrom(compiled, facts, moment) : moment.now,
    allowance
  )
  if (at === null) return undefined
  const then = PolicyEvaluation.evaluate(compiled, facts, { ...moment, now: at })
  return { at, reasons: reasonsOf(asserted, then) }
}

/**
 * Decides an assertion. Without a policy the flows decide, in any scope, so an artifact that no flow knows fails as it
 * would where provenance is required. An empty table must not pass.
 */
export const decide = (asserted: Asserted): ArtifactAssertion => {
  const { compiled, facts, flows, moment, order, scope } = asserted
  const isAllowed = asserted.allowance !== undefined
  const evaluation = PolicyEvaluation.evaluate(compiled, facts, moment)
  const { policy_decisions, verdict } = evaluation
  const passes = verdict === "Unknown" ? compliantInFlows(flows) : verdict === "Compliant"
  const expiry = passes || isAllowed ? expiryOf(asserted, passes) : undefined
  return {
    scope,
    ...(expiry === undefined ? {} : { expiry }),
    compliant: passes || isAllowed,
    is_allowed: isAllowed && !passes,
    policy_decisions: inOrder(policy_decisions, order),
    reasons: isAllowed ? [] : reasonsOf(asserted, evaluation),
    warnings: PolicyEvaluation.warnings(compiled, evaluation),
    flows
  }
}
