/**
 * A slow, plain model of policies × facts, from the words of the specification. SPEC §3.13
 *
 * Nothing is compiled, shared or cached; every condition is parsed each time.
 */
import type { ActiveWaiver } from "@attestry/core/ActiveWaiver"
import { type Moment, TIMELESS } from "@attestry/core/Moment"
import type { PolicyDecision, Resolution, RuleEvaluation } from "@attestry/core/PolicyDecision"
import type {
  AttestationRule,
  PolicyDocument,
  ProvenanceRequirement
} from "@attestry/core/PolicyDocument"
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

/** The result of a rule in one flow, and when the evidence expired. */
interface Resolved {
  readonly type: ResolutionType
  readonly expired_at?: number
}

/** The result of evidence in favour, of which one that is young enough is enough. */
const resolveAge = (
  favouring: ReadonlyArray<{ readonly reported_at?: number }>,
  { maxAge }: { readonly maxAge?: number },
  { expired, moment }: { readonly expired: ResolutionType; readonly moment: Moment }
): Resolved => {
  if (maxAge === undefined) return { type: "rule_satisfied" }
  const ends = favouring.map(({ reported_at }) =>
    reported_at === undefined ? -Number.MAX_SAFE_INTEGER : Math.round((reported_at + maxAge) * 1e6)
  )
  const last = Math.max(...ends)
  return moment.now < last ? { type: "rule_satisfied" } : { type: expired, expired_at: last / 1e6 }
}

const contextOf = ({ expired_at }: Resolved) => (expired_at === undefined ? {} : { expired_at })

const ageOf = ({ maxAge }: { readonly maxAge?: number }) =>
  maxAge === undefined ? {} : { max_age_seconds: maxAge }

/** "A row without provenance gets exactly one resolution with a null flow." */
const views = ({ flows }: Facts): ReadonlyArray<FlowView | null> =>
  flows.length === 0 ? [null] : flows

const conclude = (
  rule: RuleEvaluation["rule"],
  resolutions: ReadonlyArray<Resolution>
): RuleEvaluation => {
  const types = resolutions.map(({ type }) => type)
  const ignored = types.every((type) => type === "rule_not_applicable")
  const holds = types.every((type) =>
    ["rule_satisfied", "rule_not_applicable", "rule_waived"].includes(type)
  )
  return { rule, satisfied: ignored ? null : holds, ignored, resolutions }
}

const evaluateRequirement = (
  type: "provenance" | "trail-compliance",
  requirement: ProvenanceRequirement,
  facts: Facts,
  moment: Moment
): RuleEvaluation => {
  const { exceptions, required } = requirement
  const resolve = (flow: FlowView | null): Resolved => {
    if (!required) return { type: "rule_not_applicable" }
    const scope = { artifact: facts.artifact, flow }
    if (exceptions.some(({ text }) => PolicyExpressionModel.evaluate(text, scope) === "True"))
      return { type: "rule_not_applicable" }
    if (flow === null) return { type: "missing_provenance" }
    if (type === "provenance")
      return resolveAge([flow], requirement, { expired: "provenance_expired", moment })
    return {
      type: flow.artifact_status === "COMPLIANT" ? "rule_satisfied" : "non_compliant_in_trail"
    }
  }
  return conclude(
    {
      type,
      definition: {
        required,
        exceptions: exceptions.map(({ text }) => ({ if: { text } })),
        ...ageOf(requirement)
      }
    },
    views(facts).map((flow) => {
      const resolved = resolve(flow)
      return {
        type: resolved.type,
        context: {
          flow_name: flow?.flow_name ?? null,
          trail_name: flow?.trail_name ?? null,
          artifact_status: type === "provenance" ? null : (flow?.artifact_status ?? null),
          ...contextOf(resolved)
        }
      }
    })
  )
}

const fits = (rule: AttestationRule, attestation: AttestationFact): boolean =>
  (rule.type === "*" || rule.type === attestation.type) &&
  (rule.name === "*" || rule.name === attestation.name)

const latest = (attestations: ReadonlyArray<AttestationFact>): AttestationFact | undefined =>
  [...attestations].sort((left, right) => left.sequence - right.sequence).at(-1)

/** Steps 1 to 4 of 6.5. */
const resolvePlain = (rule: AttestationRule, flow: FlowView, moment: Moment): Resolved => {
  const fitting = flow.attestations.filter((attestation) => fits(rule, attestation))
  const names = [...new Set(fitting.map(({ name }) => name))]
  const counting = names.flatMap((name) => {
    const same = fitting.filter((attestation) => attestation.name === name)
    const ofArtifact = same.filter(({ level }) => level === "artifact")
    return latest(ofArtifact.length > 0 ? ofArtifact : same) ?? []
  })
  return resolveCounting(rule, counting, moment)
}

const resolveCounting = (
  rule: AttestationRule,
  counting: ReadonlyArray<AttestationFact>,
  moment: Moment
): Resolved => {
  if (counting.length === 0) return { type: "missing_attestation" }
  const favouring = counting.filter(({ is_compliant }) => is_compliant || !rule.mustBeCompliant)
  const verified = favouring.filter(
    ({ verification }) => rule.mustBeVerified !== true || verification === "verified"
  )
  const met = verified.filter(
    ({ facts }) =>
      rule.where === undefined ||
      PolicyExpressionModel.evaluateWhere(rule.where.text, facts) === "True"
  )
  if (favouring.length === 0) return { type: "non_compliant_attestation" }
  if (verified.length === 0) return { type: "unverified_attestation" }
  return met.length === 0
    ? { type: "unmet_facts" }
    : resolveAge(met, rule, { expired: "evidence_expired", moment })
}

const resolveControl = (
  rule: AttestationRule,
  applicable: ReadonlyArray<FlowView | null>,
  moment: Moment
): Resolved => {
  const decision = latest(
    applicable
      .flatMap((flow) => flow?.attestations ?? [])
      .filter((attestation) => fits(rule, attestation) && attestation.control === rule.forControl)
  )
  return resolveCounting(rule, decision === undefined ? [] : [decision], moment)
}

const evaluateAttestation = (
  rule: AttestationRule,
  facts: Facts,
  moment: Moment
): RuleEvaluation => {
  const { condition, forControl } = rule
  const applies = (flow: FlowView | null): boolean =>
    condition === null ||
    PolicyExpressionModel.evaluate(condition.text, { artifact: facts.artifact, flow }) !== "False"
  const applicable = views(facts).filter(applies)
  const resolve = (flow: FlowView | null): Resolved => {
    if (!applies(flow)) return { type: "rule_not_applicable" }
    if (forControl !== null) return resolveControl(rule, applicable, moment)
    return flow === null ? { type: "missing_attestation" } : resolvePlain(rule, flow, moment)
  }
  return conclude(
    {
      type: "attestation",
      definition: {
        if: condition === null ? null : { text: condition.text },
        name: rule.name,
        type: rule.type,
        must_be_compliant: rule.mustBeCompliant,
        for_control: forControl,
        ...ageOf(rule),
        ...(rule.mustBeVerified === true ? { must_be_verified: true } : {}),
        ...(rule.where === undefined ? {} : { where: { text: rule.where.text } })
      }
    },
    views(facts).map((flow) => {
      const resolved = resolve(flow)
      return {
        type: resolved.type,
        context: {
          flow_name: flow?.flow_name ?? null,
          trail_name: flow?.trail_name ?? null,
          artifact_status: null,
          ...(forControl === null ? {} : { for_control: forControl }),
          ...contextOf(resolved)
        }
      }
    })
  )
}

/** Whether a waiver asks for what a rule asks for. */
const names = ({ rule: named }: ActiveWaiver, { rule }: RuleEvaluation): boolean => {
  if (named === null) return true
  if (rule.type !== "attestation") return named.type === rule.type
  const { for_control, name, type } = rule.definition
  return (
    named.type === "attestation" &&
    JSON.stringify([
      named.attestation_type ?? "*",
      named.attestation_name ?? "*",
      named.for_control ?? null
    ]) === JSON.stringify([type, name, for_control])
  )
}

/** Waives the failing results of one rule that a waiver in force names and reaches. */
const waive = (
  evaluation: RuleEvaluation,
  { facts, moment, policy }: { facts: Facts; moment: Moment; policy: string }
): RuleEvaluation =>
  conclude(
    evaluation.rule,
    evaluation.resolutions.map((resolution, index) => {
      if (["rule_satisfied", "rule_not_applicable"].includes(resolution.type)) return resolution
      const scope = { artifact: facts.artifact, flow: views(facts)[index] ?? null }
      const [first] = moment.waivers
        .filter((waiver) => waiver.policy_name === policy && names(waiver, evaluation))
        .filter(({ expires_at, revoked_at, starts_at }) => {
          const end = Math.min(expires_at, revoked_at ?? expires_at)
          return starts_at <= moment.now && moment.now < end
        })
        .filter(
          ({ condition }) =>
            condition === null || PolicyExpressionModel.evaluate(condition.text, scope) === "True"
        )
        .sort((left, right) => right.expires_at - left.expires_at || left.number - right.number)
      return first === undefined
        ? resolution
        : {
            type: "rule_waived",
            context: {
              ...resolution.context,
              waiver: first.number,
              expires_at: first.expires_at / 1e6,
              waived: resolution.type
            }
          }
    })
  )

/** Evaluates one artifact by every policy, for a moment. */
export const evaluate = (
  policies: ReadonlyArray<ModelPolicy>,
  facts: Facts,
  moment: Moment = TIMELESS
): ModelEvaluation => {
  const policy_decisions = [...policies]
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .map(({ document, name, version }): PolicyDecision => {
      const rule_evaluations = [
        evaluateRequirement("provenance", document.provenance, facts, moment),
        evaluateRequirement("trail-compliance", document.trailCompliance, facts, moment),
        ...document.attestations.map((rule) => evaluateAttestation(rule, facts, moment))
      ].map((evaluation) => waive(evaluation, { facts, moment, policy: name }))
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
