/**
 * The steps that a failing question itself proposes: which evidence, under which name and type, in which flow.
 *
 * Names and types come from what exists and from the other rules; a fresh one only where nothing fits.
 */
import * as AttestationTypePattern from "@attestry/core/AttestationTypePattern"
import type { Rule } from "@attestry/core/PolicyDecision"
import type { AttestationFact, FlowView } from "@attestry/core/PolicyFacts"
import type { EvidenceStep, SettledRule, Step } from "../RemedyStep.js"

/** A step before it is known what it settles. */
export type BareStep = Exclude<Step, { readonly do: "allow" | "waive" }>

/** When an attestation usually arrives, and how long ago the artifact was reported. */
export interface Arrival {
  readonly flow_name: string
  readonly attestation_name: string
  readonly usually_after_seconds: number
  readonly passed_seconds: number
}

/** The definition of a rule about attestations. */
export type AttestationDefinition = Extract<Rule, { readonly type: "attestation" }>["definition"]

/** One entry of a template that fails. */
export type Entry = NonNullable<FlowView["entries"]>[number]

/** A question that fails: the rule, and where it is asked. */
export interface Question extends SettledRule {
  readonly ask:
    | { readonly kind: "entry"; readonly flow: FlowView; readonly entry: Entry }
    | { readonly kind: "trail"; readonly flow: FlowView }
    | { readonly kind: "record"; readonly flow: FlowView }
    | { readonly kind: "evidence"; readonly flow: FlowView; readonly rule: AttestationDefinition }
    | {
        readonly kind: "control"
        readonly flows: ReadonlyArray<FlowView>
        readonly rule: AttestationDefinition
        readonly control: string
      }
}

/** The name of evidence that has none yet: the word of its type, or the control that it is about. */
const freshName = ({ for_control, type }: AttestationDefinition): string =>
  for_control ?? type.replace(AttestationTypePattern.CUSTOM_PREFIX, "")

const FRESH_TYPE = "generic"

/** The type of an override whose original was never reported; no report can have it. */
const UNNAMED_TYPE = "custom"

/** The names and types that evidence for a rule can have: of what exists, of the other rules, else a fresh one. */
export class Points {
  private readonly rules: ReadonlyArray<AttestationDefinition>

  constructor(questions: ReadonlyArray<Question>) {
    // WHY a set: a rule asks the same in every flow.
    this.rules = [...new Set(questions.flatMap(({ ask }) => ("rule" in ask ? [ask.rule] : [])))]
  }

  namesOf(rule: AttestationDefinition, flow: FlowView): ReadonlyArray<string> {
    if (rule.name !== "*") return [rule.name]
    const fits = ({ control, type }: AttestationFact): boolean =>
      AttestationTypePattern.matches(rule.type, type) &&
      (rule.for_control === null || rule.for_control === control)
    const existing = flow.attestations.filter(fits).map(({ name }) => name)
    const asked = this.rules
      .filter(
        ({ for_control, name, type }) =>
          name !== "*" &&
          (type === "*" || AttestationTypePattern.matches(rule.type, type)) &&
          (rule.for_control === null || for_control === null || for_control === rule.for_control)
      )
      .map(({ name }) => name)
    return [
      ...new Set([...existing, ...asked, ...(existing.length === 0 ? [freshName(rule)] : [])])
    ]
  }

  typesOf(rule: AttestationDefinition, name: string, flow: FlowView): ReadonlyArray<string> {
    if (rule.type !== "*") return [rule.type]
    const existing = flow.attestations
      .filter((fact) => fact.name === name && fact.type !== UNNAMED_TYPE)
      .map(({ type }) => type)
    const asked = this.rules
      .filter((other) => other.type !== "*" && (other.name === name || other.name === "*"))
      .map(({ type }) => type)
    const entries = (flow.entries ?? [])
      .filter(({ attestation_name }) => attestation_name === name)
      .map(({ attestation_type }) => AttestationTypePattern.fromWire(attestation_type))
      .filter((type) => type !== "*")
    const known = [...existing, ...asked, ...entries]
    return [...new Set(known.length === 0 ? [FRESH_TYPE] : known)]
  }
}

/** What a step reports, and when its evidence usually arrives. */
interface Reporting {
  readonly arrivals: ReadonlyArray<Arrival>
  /** Whether the rule that asks for it has a `max_age`. */
  readonly isAged: boolean
}

type Point = Pick<AttestationFact, "level" | "name" | "type">

const wordFor = (
  flow: FlowView,
  point: Point,
  { arrivals, isAged }: Reporting
): Pick<EvidenceStep, "do" | "passed_seconds" | "usually_after_seconds"> => {
  const there = flow.attestations.filter(
    ({ name, type }) => name === point.name && AttestationTypePattern.matches(point.type, type)
  )
  if (there.some(({ is_compliant }) => !is_compliant)) return { do: "fix" }
  if (isAged && there.length > 0) return { do: "renew" }
  const arrival = arrivals.find(
    ({ attestation_name, flow_name }) =>
      attestation_name === point.name && flow_name === flow.flow_name
  )
  if (arrival === undefined) return { do: "attest" }
  const { passed_seconds, usually_after_seconds } = arrival
  const word = passed_seconds < usually_after_seconds ? "wait" : "attest"
  return { do: word, usually_after_seconds, passed_seconds }
}

const evidenceStep = (flow: FlowView, point: Point, reporting: Reporting): BareStep => {
  const { do: word, ...usual } = wordFor(flow, point, reporting)
  return {
    do: word,
    flow_name: flow.flow_name,
    trail_name: flow.trail_name,
    attestation_name: point.name,
    attestation_type: point.type,
    level: point.level,
    ...usual,
    settles: []
  }
}

const decideStep = (flow: FlowView, name: string, for_control: string): BareStep => ({
  do: "decide",
  flow_name: flow.flow_name,
  trail_name: flow.trail_name,
  attestation_name: name,
  attestation_type: "decision",
  level: "artifact",
  for_control,
  settles: []
})

/** The types that settle an entry of a template. */
const entryTypes = ({ attestation_name, attestation_type }: Entry, flow: FlowView) => {
  const type = AttestationTypePattern.fromWire(attestation_type)
  if (type !== "*") return [type]
  const existing = flow.attestations.filter(({ name }) => name === attestation_name)
  return existing.length === 0 ? [FRESH_TYPE] : [...new Set(existing.map((fact) => fact.type))]
}

/** The steps that a question itself proposes. */
export const proposed = (
  { ask }: Question,
  points: Points,
  arrivals: ReadonlyArray<Arrival>
): ReadonlyArray<BareStep> => {
  switch (ask.kind) {
    case "trail":
      return [
        {
          do: "complete",
          flow_name: ask.flow.flow_name,
          trail_name: ask.flow.trail_name,
          settles: []
        }
      ]
    case "record":
      return [
        {
          do: "report",
          flow_name: ask.flow.flow_name,
          trail_name: ask.flow.trail_name,
          settles: []
        }
      ]
    case "entry":
      return entryTypes(ask.entry, ask.flow).map((type) =>
        evidenceStep(
          ask.flow,
          { level: ask.entry.level, name: ask.entry.attestation_name, type },
          { arrivals, isAged: false }
        )
      )
    case "evidence":
      return points
        .namesOf(ask.rule, ask.flow)
        .flatMap((name) =>
          points
            .typesOf(ask.rule, name, ask.flow)
            .map((type) =>
              evidenceStep(
                ask.flow,
                { level: "artifact", name, type },
                { arrivals, isAged: ask.rule.max_age_seconds !== undefined }
              )
            )
        )
    case "control":
      return ask.flows.flatMap((flow) =>
        points.namesOf(ask.rule, flow).map((name) => decideStep(flow, name, ask.control))
      )
  }
}
