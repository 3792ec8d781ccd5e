/**
 * Compiled rules, and their evaluation on a row. SPEC §3.13
 *
 * An exception or a condition is evaluated for every row and flow. Error never exempts and never skips: the
 * requirement applies. A waiver changes only results that fail. DECISIONS.md, "Evaluation is total and explains itself"
 */
import * as Timestamp from "../../shared/Timestamp.js"
import * as ActiveWaiver from "../ActiveWaiver.js"
import type { Moment } from "../Moment.js"
import { isFailure, type Resolution, type Rule, type RuleEvaluation } from "../PolicyDecision.js"
import type { AttestationRule, Condition, ProvenanceRequirement } from "../PolicyDocument.js"
import * as Evidence from "../PolicyEvidence.js"
import type { AttestationFact, FlowView } from "../PolicyFacts.js"
import { evaluate, FALSE, type Predicate, type Ternary, TRUE } from "../PolicyPredicate.js"
import * as FactCondition from "./FactCondition.js"
import {
  CONTEXT_CONTROL,
  CONTEXT_PLAIN,
  CONTEXT_STATUS,
  EVIDENCE_EXPIRED,
  MISSING_ATTESTATION,
  MISSING_PROVENANCE,
  NON_COMPLIANT_ATTESTATION,
  NON_COMPLIANT_IN_TRAIL,
  NOT_APPLICABLE,
  PROVENANCE_EXPIRED,
  type Row,
  type RowFrame,
  type RuleResult,
  SATISFIED,
  UNMET_FACTS,
  UNVERIFIED_ATTESTATION
} from "./PolicyRow.js"

/** A compiled rule. WHY one shape for all: their evaluation is one code path. */
export interface CompiledRule {
  readonly rule: Rule
  readonly kind: "never" | "provenance" | "trail-compliance" | "attestation" | "control"
  readonly context: number
  /** The condition that decides whether the rule applies; null when it always does. */
  readonly gate: Predicate | null
  /** The value of the gate that makes the rule not applicable: True for an exception, False for a condition. */
  readonly skipsOn: Ternary
  /** The result for an artifact without provenance. */
  readonly withoutFlow: RuleResult
  readonly requirement: AttestationRule
  /** What evidence must be besides compliant; null where nothing more is asked. */
  readonly asked: Evidence.Asked | null
  /** The age in seconds at which evidence no longer counts; undefined without one. */
  readonly maxAge: number | undefined
  /** The memo slot of the result: of the flow, or of the row for a control; -1 without one. */
  readonly slot: number
}

/** The context of compiling rules. */
export interface RuleCompiler {
  /** The predicate that one of several conditions is True; null without a condition. */
  readonly predicate: (conditions: ReadonlyArray<Condition>) => Predicate | null
  /** The memo slot of a rule about attestations. */
  readonly slotOf: (rule: AttestationRule) => number
  /** The position of a control among those of the rules. */
  readonly indexOf: (control: string) => number
}

const resultOf = (evidence: Evidence.Evidence, { mustBeCompliant }: AttestationRule): RuleResult =>
  evidence === "missing"
    ? MISSING_ATTESTATION
    : evidence === "compliant" || !mustBeCompliant
      ? SATISFIED
      : NON_COMPLIANT_ATTESTATION

const UNFAVOURABLE: { readonly [E in Evidence.Unfavourable]: RuleResult } = {
  missing: MISSING_ATTESTATION,
  "non-compliant": NON_COMPLIANT_ATTESTATION,
  unverified: UNVERIFIED_ATTESTATION,
  unmet: UNMET_FACTS
}

/** What a rule asks that asks for nothing but compliance. */
const plainly = ({ mustBeCompliant }: AttestationRule): Evidence.Asked => ({
  mustBeCompliant,
  mustBeVerified: false,
  meetsFacts: null
})

/** The result of the attestations that a rule looks at, where it asks for more than compliance. */
const askedResult = (
  attestations: ReadonlyArray<AttestationFact>,
  asked: Evidence.Asked
): RuleResult => {
  const favouring = Evidence.inFavour(attestations, asked)
  return typeof favouring === "string" ? UNFAVOURABLE[favouring] : SATISFIED
}

const applies = ({ gate, skipsOn }: CompiledRule, frame: RowFrame): boolean =>
  gate === null || evaluate(gate, frame) !== skipsOn

const evaluateEvidence = (
  { asked, requirement, slot }: CompiledRule,
  { base, memo }: RowFrame,
  { attestations }: FlowView
): RuleResult => {
  const known = slot < 0 ? undefined : memo[base + slot]
  if (known !== undefined && known !== NOT_APPLICABLE) return known
  const found =
    asked === null
      ? resultOf(Evidence.ofFlow(attestations, requirement), requirement)
      : askedResult(Evidence.looksAt(attestations, requirement), asked)
  if (slot >= 0) memo[base + slot] = found
  return found
}

/** The result of the latest decision about the control over all applicable flows. */
const evaluateControl = (rule: CompiledRule, row: Row): RuleResult => {
  const known = row.memo[rule.slot]
  if (known !== undefined && known !== NOT_APPLICABLE) return known
  const latest = latestDecision(rule, row)
  const evidence =
    latest === undefined ? "missing" : latest.is_compliant ? "compliant" : "non-compliant"
  const found =
    rule.asked === null
      ? resultOf(evidence, rule.requirement)
      : askedResult(latest === undefined ? [] : [latest], rule.asked)
  row.memo[rule.slot] = found
  return found
}

const evaluateFlow = (rule: CompiledRule, frame: RowFrame, row: Row): RuleResult => {
  if (rule.kind === "never" || !applies(rule, frame)) return NOT_APPLICABLE
  const { flow } = frame
  if (flow === null) return rule.withoutFlow
  switch (rule.kind) {
    case "provenance":
      return SATISFIED
    case "trail-compliance":
      return flow.artifact_status === "COMPLIANT" ? SATISFIED : NON_COMPLIANT_IN_TRAIL
    case "attestation":
      return evaluateEvidence(rule, frame, flow)
    case "control":
      return evaluateControl(rule, row)
  }
}

/** The latest decision about a control over all applicable flows. */
const latestDecision = (rule: CompiledRule, row: Row): AttestationFact | undefined => {
  let latest: AttestationFact | undefined
  for (const frame of row.frames)
    if (frame.flow !== null && applies(rule, frame))
      latest = Evidence.latestDecision(frame.flow.attestations, rule.requirement, latest)
  return latest
}

/** Until when a rule with a `max_age` holds in one flow; else the result that no time changes. */
const holdsUntil = (
  rule: CompiledRule & { readonly maxAge: number },
  frame: RowFrame,
  row: Row
): Until => {
  if (rule.kind === "never" || !applies(rule, frame)) return { result: NOT_APPLICABLE }
  const { flow } = frame
  if (flow === null) return { result: rule.withoutFlow }
  if (rule.kind === "provenance") return { until: Evidence.endOf(flow.reported_at, rule.maxAge) }
  const latest = rule.kind === "control" ? latestDecision(rule, row) : undefined
  const seen =
    rule.kind !== "control"
      ? Evidence.looksAt(flow.attestations, rule.requirement)
      : latest === undefined
        ? []
        : [latest]
  const favouring = Evidence.inFavour(seen, rule.asked ?? plainly(rule.requirement))
  return typeof favouring === "string"
    ? { result: UNFAVOURABLE[favouring] }
    : { until: Evidence.endOfAll(favouring, rule.maxAge) }
}

/** Either a result for all time, or the end of the time in which the rule is satisfied. */
type Until = { readonly result: RuleResult } | { readonly until: Timestamp.Timestamp }

const isAged = (rule: CompiledRule): rule is CompiledRule & { readonly maxAge: number } =>
  rule.maxAge !== undefined

/** The instants at which the results of a rule change, in the order of flows. */
export const changesOf = (rule: CompiledRule, row: Row): ReadonlyArray<Timestamp.Timestamp> =>
  isAged(rule)
    ? row.frames.flatMap((frame) => {
        const found = holdsUntil(rule, frame, row)
        return "until" in found ? [found.until] : []
      })
    : []

const evaluateAged = (
  compiled: CompiledRule & { readonly maxAge: number },
  row: Row,
  { now }: Moment
): RuleEvaluation => {
  const expired = compiled.kind === "provenance" ? PROVENANCE_EXPIRED : EVIDENCE_EXPIRED
  const resolutions: Array<Resolution> = []
  let passes = true
  let ignored = true
  for (const frame of row.frames) {
    const found = holdsUntil(compiled, frame, row)
    const result = "result" in found ? found.result : now < found.until ? SATISFIED : expired
    if (result > SATISFIED) passes = false
    if (result !== NOT_APPLICABLE) ignored = false
    const plain = row.resolution(compiled.context, result, resolutions.length)
    resolutions.push(
      "until" in found && result === expired
        ? { ...plain, context: { ...plain.context, expired_at: Timestamp.toSeconds(found.until) } }
        : plain
    )
  }
  return { rule: compiled.rule, satisfied: ignored ? null : passes, ignored, resolutions }
}

/** Evaluates a rule in every flow; most rows have one flow, or the same result in all. */
export const evaluateRule = (compiled: CompiledRule, row: Row, moment: Moment): RuleEvaluation => {
  if (isAged(compiled)) return evaluateAged(compiled, row, moment)
  const { first, others } = row
  const result = evaluateFlow(compiled, first, row)
  for (const frame of others)
    if (evaluateFlow(compiled, frame, row) !== result) return evaluateMixed(compiled, row)
  return {
    rule: compiled.rule,
    satisfied: result === NOT_APPLICABLE ? null : result === SATISFIED,
    ignored: result === NOT_APPLICABLE,
    resolutions: row.alike(compiled.context, result)
  }
}

/** Evaluates a rule whose flows differ. Every applicable flow must pass. */
const evaluateMixed = (compiled: CompiledRule, row: Row): RuleEvaluation => {
  const resolutions: Array<Resolution> = []
  let passes = true
  for (const frame of row.frames) {
    const result = evaluateFlow(compiled, frame, row)
    if (result > SATISFIED) passes = false
    resolutions.push(row.resolution(compiled.context, result, resolutions.length))
  }
  return { rule: compiled.rule, satisfied: passes, ignored: false, resolutions }
}

const waivedBy = (
  { context, type }: Resolution,
  { expires_at, number }: ActiveWaiver.ActiveWaiver
): Resolution => ({
  type: "rule_waived",
  context: { ...context, waiver: number, expires_at: Timestamp.toSeconds(expires_at), waived: type }
})

/**
 * Evaluates a rule with the waivers in force of its policy: a failing result becomes `rule_waived` where one of them
 * names the rule and reaches the artifact in the flow. Of several it is the one that ends last, then the lowest number.
 */
export const evaluateWaived = (
  compiled: CompiledRule,
  row: Row,
  moment: Moment
): RuleEvaluation => {
  const evaluation = evaluateRule(compiled, row, moment)
  if (evaluation.satisfied !== false) return evaluation
  const fitting = moment.waivers.filter(({ rule }) => ActiveWaiver.fits(rule, compiled.rule))
  if (fitting.length === 0) return evaluation
  const { frames } = row
  const resolutions = evaluation.resolutions.map((resolution, index) => {
    const frame = frames[index]
    if (frame === undefined || !isFailure(resolution.type)) return resolution
    const reaching = fitting.filter(({ reaches }) => reaches(frame))
    return reaching.length === 0
      ? resolution
      : waivedBy(resolution, reaching.reduce(ActiveWaiver.later))
  })
  const satisfied = !resolutions.some(({ type }) => isFailure(type))
  return { rule: compiled.rule, satisfied, ignored: false, resolutions }
}

const freeze = (rule: Rule): Rule => {
  Object.freeze(rule.definition)
  return Object.freeze(rule)
}

const shown = ({ text }: Condition): { readonly text: string } => Object.freeze({ text })

const ANY_ATTESTATION: AttestationRule = {
  type: "*",
  name: "*",
  condition: null,
  mustBeCompliant: true,
  forControl: null
}

/** The rule that some flow knows the artifact, or that the artifact is compliant in its trail of each. */
export const compileRequirement = (
  type: "provenance" | "trail-compliance",
  { exceptions, maxAge, required }: ProvenanceRequirement,
  { predicate }: RuleCompiler
): CompiledRule => ({
  rule: freeze({
    type,
    definition: {
      required,
      exceptions: Object.freeze(
        exceptions.map((exception) => Object.freeze({ if: shown(exception) }))
      ),
      ...(maxAge === undefined ? {} : { max_age_seconds: maxAge })
    }
  }),
  kind: required ? type : "never",
  context: type === "provenance" ? CONTEXT_PLAIN : CONTEXT_STATUS,
  gate: required ? predicate(exceptions) : null,
  skipsOn: TRUE,
  withoutFlow: MISSING_PROVENANCE,
  requirement: ANY_ATTESTATION,
  asked: null,
  maxAge,
  slot: -1
})

/** What evidence must be besides compliant. */
const askedOf = (rule: AttestationRule): Evidence.Asked | null => {
  const { mustBeCompliant, where } = rule
  const mustBeVerified = rule.mustBeVerified === true
  if (where === undefined)
    return mustBeVerified ? { mustBeCompliant, mustBeVerified, meetsFacts: null } : null
  const test = FactCondition.compile(where.expression)
  return { mustBeCompliant, mustBeVerified, meetsFacts: (facts) => test(facts) === TRUE }
}

/** A rule about attestations, or about the decision for a control. */
export const compileAttestation = (
  requirement: AttestationRule,
  { indexOf, predicate, slotOf }: RuleCompiler
): CompiledRule => {
  const { condition, forControl, maxAge, mustBeCompliant, mustBeVerified, name, type, where } =
    requirement
  return {
    rule: freeze({
      type: "attestation",
      definition: {
        if: condition === null ? null : shown(condition),
        name,
        type,
        must_be_compliant: mustBeCompliant,
        for_control: forControl,
        ...(maxAge === undefined ? {} : { max_age_seconds: maxAge }),
        ...(mustBeVerified === undefined ? {} : { must_be_verified: mustBeVerified }),
        ...(where === undefined ? {} : { where: shown(where) })
      }
    }),
    kind: forControl === null ? "attestation" : "control",
    context: forControl === null ? CONTEXT_PLAIN : CONTEXT_CONTROL + indexOf(forControl),
    gate: condition === null ? null : predicate([condition]),
    skipsOn: FALSE,
    withoutFlow: MISSING_ATTESTATION,
    requirement,
    asked: askedOf(requirement),
    maxAge,
    slot: slotOf(requirement)
  }
}
