/**
 * What a row needs to become compliant: for each failing rule and flow, the steps any of which settles it.
 *
 * The flows of a row are fixed here; an artifact without a flow is reported first.
 */
import * as AttestationTypePattern from "@attestry/core/AttestationTypePattern"
import { isFailure, type PolicyDecision, type RuleEvaluation } from "@attestry/core/PolicyDecision"
import * as Evidence from "@attestry/core/PolicyEvidence"
import type { AttestationFact, FlowView } from "@attestry/core/PolicyFacts"
import { type SettledRule, settlesEntry, textOf } from "../RemedyStep.js"
import {
  type Arrival,
  type AttestationDefinition,
  type BareStep,
  Points,
  proposed,
  type Question
} from "./RepairCandidates.js"

/** One thing that is needed, and the rule that asks for it. */
export interface Need extends SettledRule {
  /** The places of the steps that settle it. */
  readonly steps: ReadonlyArray<number>
}

/** The steps of a row, and its needs. */
export interface Needs {
  readonly steps: ReadonlyArray<BareStep>
  readonly needs: ReadonlyArray<Need>
}

/** The row, and when its evidence usually arrives. */
export interface Needy {
  readonly flows: ReadonlyArray<FlowView>
  readonly arrivals: ReadonlyArray<Arrival>
}

/** What a rule about a control asks, in all its flows at once. */
const controlAsk = (
  { resolutions }: RuleEvaluation,
  rule: AttestationDefinition,
  flows: ReadonlyArray<FlowView>
): ReadonlyArray<Question["ask"]> => {
  const { for_control: control } = rule
  if (control === null || !resolutions.some(({ type }) => isFailure(type))) return []
  const applicable = flows.filter((_, index) => resolutions[index]?.type !== "rule_not_applicable")
  return [{ kind: "control", flows: applicable, rule, control }]
}

/** What a rule that fails in a flow asks there. */
const asksIn = (flow: FlowView, { rule }: RuleEvaluation): ReadonlyArray<Question["ask"]> => {
  if (rule.type === "attestation") return [{ kind: "evidence", flow, rule: rule.definition }]
  if (rule.type === "provenance") return [{ kind: "record", flow }]
  const { entries = [] } = flow
  return entries.length === 0
    ? [{ kind: "trail", flow }]
    : entries.map((entry) => ({ kind: "entry", flow, entry }))
}

const questionsOf = (
  decisions: ReadonlyArray<PolicyDecision>,
  flows: ReadonlyArray<FlowView>
): ReadonlyArray<Question> => {
  const questions: Array<Question> = []
  for (const { policy_name, rule_evaluations } of decisions)
    for (const [rule_index, evaluation] of rule_evaluations.entries()) {
      if (evaluation.satisfied !== false) continue
      const { resolutions, rule } = evaluation
      if (rule.type === "attestation" && rule.definition.for_control !== null)
        for (const ask of controlAsk(evaluation, rule.definition, flows))
          questions.push({ policy_name, rule_index, ask })
      else
        for (const [index, flow] of flows.entries())
          if (isFailure(resolutions[index]?.type ?? "rule_satisfied"))
            for (const ask of asksIn(flow, evaluation))
              questions.push({ policy_name, rule_index, ask })
    }
  return questions
}

const ruleOf = ({ must_be_compliant, name, type }: AttestationDefinition) => ({
  name,
  type,
  condition: null,
  mustBeCompliant: must_be_compliant,
  forControl: null
})

/** Whether a rule asks whether evidence is verified, or about its facts: no step is known to bring such evidence. */
const asksMore = ({ must_be_verified, where }: AttestationDefinition): boolean =>
  must_be_verified === true || where !== undefined

/** Whether a rule about evidence holds in a flow once it has an attestation that is new. */
const holdsWith = (flow: FlowView, fact: AttestationFact, rule: AttestationDefinition): boolean => {
  if (asksMore(rule)) return false
  if (rule.name !== "*" && rule.name !== fact.name) return false
  if (!AttestationTypePattern.matches(rule.type, fact.type)) return false
  // WHY at once: the latest attestation of the artifact itself decides about its name.
  if (fact.level === "artifact") return true
  const all = [...flow.attestations, fact]
  // WHY the new one alone: evidence that was there is too old, or the rule would not be asked.
  if (rule.max_age_seconds !== undefined) return Evidence.looksAt(all, ruleOf(rule)).includes(fact)
  const evidence = Evidence.ofFlow(all, ruleOf(rule))
  return evidence === "compliant" || (evidence === "non-compliant" && !rule.must_be_compliant)
}

const factOf = (step: BareStep): AttestationFact | undefined =>
  "attestation_name" in step
    ? {
        sequence: Number.MAX_SAFE_INTEGER,
        name: step.attestation_name,
        type: step.attestation_type,
        is_compliant: true,
        level: step.level,
        control: step.do === "decide" ? step.for_control : null
      }
    : undefined

/** A step, and the attestation that it brings. */
interface Candidate {
  readonly place: number
  readonly step: BareStep
  readonly fact: AttestationFact | undefined
}

const isSettledBy = ({ ask }: Question, { fact, step }: Candidate): boolean => {
  switch (ask.kind) {
    case "trail":
      return step.do === "complete"
    case "record":
      return step.do === "report"
    case "entry":
      return fact !== undefined && settlesEntry(fact, ask.entry)
    case "evidence":
      return fact !== undefined && holdsWith(ask.flow, fact, ask.rule)
    case "control":
      return (
        step.do === "decide" &&
        !asksMore(ask.rule) &&
        step.for_control === ask.control &&
        (ask.rule.name === "*" || ask.rule.name === step.attestation_name)
      )
  }
}

const subjectOf = (ask: Question["ask"]): object | undefined =>
  "rule" in ask ? ask.rule : ask.kind === "entry" ? ask.entry : undefined

/** What is asked, without where, as a text. */
const textOfAsk = (ask: Question["ask"]): string =>
  JSON.stringify([
    ask.kind,
    "rule" in ask
      ? [
          ask.rule.name,
          ask.rule.type,
          ask.rule.must_be_compliant,
          ask.rule.for_control,
          ask.rule.max_age_seconds !== undefined,
          asksMore(ask.rule)
        ]
      : ask.kind === "entry"
        ? [
            ask.entry.attestation_name,
            ask.entry.attestation_type,
            ask.entry.level,
            ask.entry.any_type_but
          ]
        : []
  ])

/** Finds, for a question, the first one that the same steps settle. */
class FirstAsked {
  private readonly byText = new Map<string, Map<FlowView | string, Question>>()
  /** WHY remembered: a rule asks the same in every flow. */
  private readonly bySubject = new Map<object, Map<FlowView | string, Question>>()

  of(question: Question): Question {
    const { ask } = question
    const asked = this.askedAs(ask)
    const place = "flows" in ask ? placesOf(question).join("\n") : ask.flow
    const first = asked.get(place)
    if (first !== undefined) return first
    asked.set(place, question)
    return question
  }

  /** The questions that ask the same as this one, by where they ask it. */
  private askedAs(ask: Question["ask"]): Map<FlowView | string, Question> {
    const subject = subjectOf(ask)
    const known = subject === undefined ? undefined : this.bySubject.get(subject)
    if (known !== undefined) return known
    const text = textOfAsk(ask)
    const asked = this.byText.get(text) ?? new Map<FlowView | string, Question>()
    this.byText.set(text, asked)
    if (subject !== undefined) this.bySubject.set(subject, asked)
    return asked
  }
}

/** The flows that a question is about. */
const placesOf = ({ ask }: Question): ReadonlyArray<string> =>
  "flows" in ask ? ask.flows.map(({ flow_name }) => flow_name) : [ask.flow.flow_name]

const NONE: ReadonlyArray<Candidate> = []

/** Steps by flow, and by flow and name. */
class Candidates {
  private readonly byPlace = new Map<string, Array<Candidate>>()

  constructor(steps: ReadonlyArray<BareStep>) {
    for (const [place, step] of steps.entries()) {
      if (!("trail_name" in step)) continue
      const candidate = { place, step, fact: factOf(step) }
      this.add(step.flow_name, candidate)
      if ("attestation_name" in step)
        this.add(`${step.flow_name}\n${step.attestation_name}`, candidate)
    }
  }

  /** The steps in a flow; with a name, those that report under it. */
  get(flow: string, name: string | undefined): ReadonlyArray<Candidate> {
    return this.byPlace.get(name === undefined ? flow : `${flow}\n${name}`) ?? NONE
  }

  private add(place: string, candidate: Candidate): void {
    const known = this.byPlace.get(place)
    if (known === undefined) this.byPlace.set(place, [candidate])
    else known.push(candidate)
  }
}

/** The one name that settles a question; undefined where any may. */
const nameOf = ({ ask }: Question): string | undefined => {
  if (ask.kind === "trail" || ask.kind === "record") return undefined
  if (ask.kind === "entry") return ask.entry.attestation_name
  return ask.rule.name === "*" ? undefined : ask.rule.name
}

/** The steps that distinct questions propose, in order of their texts. */
const proposedBy = (
  distinct: Iterable<Question>,
  arrivals: Needy["arrivals"]
): ReadonlyArray<BareStep> => {
  const questions = [...distinct]
  const points = new Points(questions)
  const steps = new Map<string, BareStep>()
  for (const question of questions)
    for (const step of proposed(question, points, arrivals)) steps.set(textOf(step), step)
  return [...steps.entries()]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([, step]) => step)
}

/** The needs of a row with flows, by the decisions about it. */
export const needsOf = (
  decisions: ReadonlyArray<PolicyDecision>,
  { arrivals, flows }: Needy
): Needs => {
  const firstAsked = new FirstAsked()
  const questions = questionsOf(decisions, flows).map((question) => ({
    question,
    first: firstAsked.of(question)
  }))
  // WHY distinct: policies often ask the same, and every question is compared with every step of its flows.
  const distinct = new Set(questions.map(({ first }) => first))
  const steps = proposedBy(distinct, arrivals)
  const candidates = new Candidates(steps)
  const settling = new Map(
    Array.from(distinct, (question) => [
      question,
      placesOf(question)
        .flatMap((flow) => candidates.get(flow, nameOf(question)))
        .filter((candidate) => isSettledBy(question, candidate))
        .map(({ place }) => place)
    ])
  )
  return {
    steps,
    needs: questions.map(({ first, question: { policy_name, rule_index } }) => ({
      policy_name,
      rule_index,
      steps: settling.get(first) ?? []
    }))
  }
}
