/**
 * The rules of policies, compiled, and how they judge a row. SPEC §6.4, §6.5
 *
 * A waiver or a condition is asked afresh for every row and flow. Error never waives and never skips:
 * the requirement stands. DECISION D6.9
 */
import type { Rule, RuleEvaluation } from "../PolicyDecision.js"
import type { AttestationRule, Condition, Requirement } from "../PolicyDocument.js"
import type { AttestationFact } from "../PolicyFacts.js"
import * as Evidence from "./PolicyEvidence.js"
import { ask, FALSE, type Question, TRUE } from "./PolicyExpressionTests.js"
import {
  CONTEXT_CONTROL,
  CONTEXT_PLAIN,
  CONTEXT_STATUS,
  MISSING_ATTESTATION,
  MISSING_PROVENANCE,
  NON_COMPLIANT_ATTESTATION,
  NON_COMPLIANT_IN_TRAIL,
  NOT_APPLICABLE,
  type Outcome,
  type Row,
  type RowFrame,
  SATISFIED
} from "./PolicyRow.js"

/** A rule that is ready to judge rows. WHY: all have one shape, so that judging them is one path. */
export interface CompiledRule {
  readonly rule: Rule
  readonly kind: "never" | "provenance" | "trail-compliance" | "attestation" | "control"
  readonly context: number
  /** Conditions that waive the rule where one is True. */
  readonly waivers: ReadonlyArray<Question>
  /** The condition that skips the rule where it is False. */
  readonly condition: Question | null
  readonly asked: AttestationRule
  /** Where the outcome is remembered: of the flow, or of the row for a control; -1 if nowhere. */
  readonly slot: number
}

/** What rules are compiled with. */
export interface RuleCompiler {
  readonly question: (condition: Condition) => Question
  /** Where the outcome of a rule about attestations is remembered. */
  readonly slotOf: (rule: AttestationRule) => number
  /** The position of a control among those that rules ask about. */
  readonly indexOf: (control: string) => number
}

const outcomeOf = (evidence: Evidence.Evidence, { mustBeCompliant }: AttestationRule): Outcome =>
  evidence === "missing"
    ? MISSING_ATTESTATION
    : evidence === "compliant" || !mustBeCompliant
      ? SATISFIED
      : NON_COMPLIANT_ATTESTATION

const judgeEvidence = ({ asked, slot }: CompiledRule, frame: RowFrame): Outcome => {
  if (frame.flow === null) return MISSING_ATTESTATION
  if (slot < 0) return outcomeOf(Evidence.ofFlow(frame.flow.attestations, asked), asked)
  const known = frame.memo[frame.base + slot]
  if (known !== undefined && known !== NOT_APPLICABLE) return known
  const found = outcomeOf(Evidence.ofFlow(frame.flow.attestations, asked), asked)
  frame.memo[frame.base + slot] = found
  return found
}

const applies = ({ condition }: CompiledRule, frame: RowFrame): boolean =>
  condition === null || ask(condition, frame) !== FALSE

/** What the latest decision over all applicable flows says about the control. DECISION D6.16 */
const judgeControl = (rule: CompiledRule, row: Row): Outcome => {
  const known = row.memo[rule.slot]
  if (known !== undefined && known !== NOT_APPLICABLE) return known
  let latest: AttestationFact | undefined
  for (const frame of row.frames)
    if (frame.flow !== null && applies(rule, frame))
      latest = Evidence.latestDecision(frame.flow.attestations, rule.asked, latest)
  const evidence =
    latest === undefined ? "missing" : latest.is_compliant ? "compliant" : "non-compliant"
  const found = outcomeOf(evidence, rule.asked)
  row.memo[rule.slot] = found
  return found
}

const isWaived = ({ waivers }: CompiledRule, frame: RowFrame): boolean => {
  for (const waiver of waivers) if (ask(waiver, frame) === TRUE) return true
  return false
}

const judgeFlow = (rule: CompiledRule, frame: RowFrame, row: Row): Outcome => {
  switch (rule.kind) {
    case "never":
      return NOT_APPLICABLE
    case "provenance":
      if (isWaived(rule, frame)) return NOT_APPLICABLE
      return frame.flow === null ? MISSING_PROVENANCE : SATISFIED
    case "trail-compliance":
      if (isWaived(rule, frame)) return NOT_APPLICABLE
      if (frame.flow === null) return MISSING_PROVENANCE
      return frame.flow.artifact_status === "COMPLIANT" ? SATISFIED : NON_COMPLIANT_IN_TRAIL
    case "attestation":
      return applies(rule, frame) ? judgeEvidence(rule, frame) : NOT_APPLICABLE
    case "control":
      return applies(rule, frame) ? judgeControl(rule, row) : NOT_APPLICABLE
  }
}

/** Judges every flow; in most rows there is one, or all come out alike. */
export const judge = (compiled: CompiledRule, row: Row): RuleEvaluation => {
  const { frames } = row
  let first: Outcome | undefined
  for (const frame of frames) {
    const outcome = judgeFlow(compiled, frame, row)
    if (first === undefined) first = outcome
    else if (first !== outcome) return judgeMixed(compiled, row)
  }
  const outcome = first ?? NOT_APPLICABLE
  return {
    rule: compiled.rule,
    satisfied: outcome === NOT_APPLICABLE ? null : outcome === SATISFIED,
    ignored: outcome === NOT_APPLICABLE,
    resolutions: row.alike(compiled.context, outcome)
  }
}

// DECISION D6.13: every applicable flow must pass.
const judgeMixed = (compiled: CompiledRule, row: Row): RuleEvaluation => {
  const outcomes = row.frames.map((frame) => judgeFlow(compiled, frame, row))
  return {
    rule: compiled.rule,
    satisfied: outcomes.every((outcome) => outcome <= SATISFIED),
    ignored: false,
    resolutions: row.mixed(compiled.context, outcomes)
  }
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

/** The rule that some flow must know the artifact, or that it is compliant in its trail of each. */
export const compileRequirement = (
  type: "provenance" | "trail-compliance",
  { exceptions, required }: Requirement,
  { question }: RuleCompiler
): CompiledRule => ({
  rule: freeze({
    type,
    definition: {
      required,
      exceptions: Object.freeze(
        exceptions.map((exception) => Object.freeze({ if: shown(exception) }))
      )
    }
  }),
  kind: required ? type : "never",
  context: type === "provenance" ? CONTEXT_PLAIN : CONTEXT_STATUS,
  waivers: required ? exceptions.map(question) : [],
  condition: null,
  asked: ANY_ATTESTATION,
  slot: -1
})

/** A rule about attestations, or about the decision for a control. */
export const compileAttestation = (
  asked: AttestationRule,
  { indexOf, question, slotOf }: RuleCompiler
): CompiledRule => {
  const { condition, forControl, mustBeCompliant, name, type } = asked
  return {
    rule: freeze({
      type: "attestation",
      definition: {
        if: condition === null ? null : shown(condition),
        name,
        type,
        must_be_compliant: mustBeCompliant,
        for_control: forControl
      }
    }),
    kind: forControl === null ? "attestation" : "control",
    context: forControl === null ? CONTEXT_PLAIN : CONTEXT_CONTROL + indexOf(forControl),
    waivers: [],
    condition: condition === null ? null : question(condition),
    asked,
    slot: slotOf(asked)
  }
}
