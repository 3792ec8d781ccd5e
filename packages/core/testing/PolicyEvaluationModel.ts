/**
 * A slow, plain model of policies × facts, from the words of the specification. SPEC §3.13
 *
 * Nothing is compiled, shared or cached; every condition is parsed each time.
 */
import type { PolicyDecision, Resolution, RuleEvaluation } from "@attestry/core/PolicyDecision"
import type { AttestationRule, PolicyDocument, Requirement } from "@attestry/core/PolicyDocument"
import type { AttestationFact, Facts, FlowView } from "@attestry/core/PolicyFacts"
import * as PolicyExpressionModel from "./internal/model/PolicyExpressionModel.js"

/** A policy of the model. */
export interface ModelPolicy {
  readonly name: string
  readonly version: number
  readonly document: PolicyDocument
}

/** The result of the model. */
export interface ModelEvaluation {
  readonly verdict: "Compliant" | "NonCompliant" | "Unknown"
  readonly policy_decisions: ReadonlyArray<PolicyDecision>
}

type ResolutionType = Resolution["type"]

/** "A row without provenance gets exactly one resolution with a null flow." */
const views = ({ flows }: Facts): ReadonlyArray<FlowView | null> =>
  flows.length === 0 ? [null] : flows

const conclude = (
  rule: RuleEvaluation["rule"],
  resolutions: ReadonlyArray<Resolution>
): RuleEvaluation => {
  const types = resolutions.map(({ type }) => type)
  const ignored = types.every((type) => type === "rule_not_applicable")
  const holds = types.every((type) => type === "rule_satisfied" || type === "rule_not_applicable")
  return { rule, satisfied: ignored ? null : holds, ignored, resolutions }
}

const evaluateRequirement = (
  type: "provenance" | "trail-compliance",
  { exceptions, required }: Requirement,
  facts: Facts
): RuleEvaluation => {
  const resolve = (flow: FlowView | null): ResolutionType => {
    if (!required) return "rule_not_applicable"
    const scope = { artifact: facts.artifact, flow }
    if (exceptions.some(({ text }) => PolicyExpressionModel.evaluate(text, scope) === "True"))
      return "rule_not_applicable"
    if (flow === null) return "missing_provenance"
    if (type === "provenance") return "rule_satisfied"
    return flow.artifact_status === "COMPLIANT" ? "rule_satisfied" : "non_compliant_in_trail"
  }
  return conclude(
    {
      type,
      definition: { required, exceptions: exceptions.map(({ text }) => ({ if: { text } })) }
    },
    views(facts).map((flow) => ({
      type: resolve(flow),
      context: {
        flow_name: flow?.flow_name ?? null,
        trail_name: flow?.trail_name ?? null,
        artifact_status: type === "provenance" ? null : (flow?.artifact_status ?? null)
      }
    }))
  )
}

const fits = (rule: AttestationRule, attestation: AttestationFact): boolean =>
  (rule.type === "*" || rule.type === attestation.type) &&
  (rule.name === "*" || rule.name === attestation.name)

const latest = (attestations: ReadonlyArray<AttestationFact>): AttestationFact | undefined =>
  [...attestations].sort((left, right) => left.sequence - right.sequence).at(-1)

/** Steps 1 to 4 of 6.5. */
const resolvePlain = (rule: AttestationRule, flow: FlowView): ResolutionType => {
  const fitting = flow.attestations.filter((attestation) => fits(rule, attestation))
  const names = [...new Set(fitting.map(({ name }) => name))]
  const counting = names.flatMap((name) => {
    const same = fitting.filter((attestation) => attestation.name === name)
    const ofArtifact = same.filter(({ level }) => level === "artifact")
    return latest(ofArtifact.length > 0 ? ofArtifact : same) ?? []
  })
  if (counting.length === 0) return "missing_attestation"
  return counting.some(({ is_compliant }) => is_compliant) || !rule.mustBeCompliant
    ? "rule_satisfied"
    : "non_compliant_attestation"
}

const resolveControl = (
  rule: AttestationRule,
  applicable: ReadonlyArray<FlowView | null>
): ResolutionType => {
  const decision = latest(
    applicable
      .flatMap((flow) => flow?.attestations ?? [])
      .filter((attestation) => fits(rule, attestation) && attestation.control === rule.forControl)
  )
  if (decision === undefined) return "missing_attestation"
  return decision.is_compliant || !rule.mustBeCompliant
    ? "rule_satisfied"
    : "non_compliant_attestation"
}

const evaluateAttestation = (rule: AttestationRule, facts: Facts): RuleEvaluation => {
  const { condition, forControl } = rule
  const applies = (flow: FlowView | null): boolean =>
    condition === null ||
    PolicyExpressionModel.evaluate(condition.text, { artifact: facts.artifact, flow }) !== "False"
  const applicable = views(facts).filter(applies)
  const resolve = (flow: FlowView | null): ResolutionType => {
    if (!applies(flow)) return "rule_not_applicable"
    if (forControl !== null) return resolveControl(rule, applicable)
    return flow === null ? "missing_attestation" : resolvePlain(rule, flow)
  }
  return conclude(
    {
      type: "attestation",
      definition: {
        if: condition === null ? null : { text: condition.text },
        name: rule.name,
        type: rule.type,
        must_be_compliant: rule.mustBeCompliant,
        for_control: forControl
      }
    },
    views(facts).map((flow) => ({
      type: resolve(flow),
      context: {
        flow_name: flow?.flow_name ?? null,
        trail_name: flow?.trail_name ?? null,
        artifact_status: null,
        ...(forControl === null ? {} : { for_control: forControl })
      }
    }))
  )
}

/** Evaluates one artifact by every policy. */
export const evaluate = (policies: ReadonlyArray<ModelPolicy>, facts: Facts): ModelEvaluation => {
  const policy_decisions = [...policies]
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .map(({ document, name, version }): PolicyDecision => {
      const rule_evaluations = [
        evaluateRequirement("provenance", document.provenance, facts),
        evaluateRequirement("trail-compliance", document.trailCompliance, facts),
        ...document.attestations.map((rule) => evaluateAttestation(rule, facts))
      ]
      const fails = rule_evaluations.some(({ satisfied }) => satisfied === false)
      return {
        policy_name: name,
        policy_version: version,
        status: fails ? "NON-COMPLIANT" : "COMPLIANT",
        rule_evaluations
      }
    })
  const allSayYes = policy_decisions.every(({ status }) => status === "COMPLIANT")
  return {
    verdict: policies.length === 0 ? "Unknown" : allSayYes ? "Compliant" : "NonCompliant",
    policy_decisions
  }
}
