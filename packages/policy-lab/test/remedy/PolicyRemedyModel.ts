/**
 * A slow reference model of remedies: it tries every subset of the steps, and keeps the smallest sufficient ones.
 * REMEDY-3
 *
 * Steps are plain facts that are added to a flow. The reference model of evaluation evaluates them; the search shares
 * no code.
 */
import type { Moment } from "@attestry/core/Moment"
import type { AttestationRule, PolicyDocument } from "@attestry/core/PolicyDocument"
import type { AttestationFact, Facts, FlowView } from "@attestry/core/PolicyFacts"
import * as PolicyEvaluationModel from "@attestry/core/testing/PolicyEvaluationModel"

/** A policy of the model. */
export type ModelPolicy = PolicyEvaluationModel.ModelPolicy

/** A step of the model: an attestation in a flow, its trail made compliant as a whole, or a new record. */
export type ModelStep =
  | { readonly flow: string; readonly fact: Omit<AttestationFact, "sequence"> }
  | { readonly flow: string; readonly fact: null; readonly isReport: boolean }

/** The text of a step, as `RemedyStep.textOf` has it. */
export const textOf = (step: ModelStep): string => {
  const { fact, flow } = step
  if (fact === null) return `${step.isReport ? "report" : "complete"} ${flow}`
  return fact.control === null
    ? `evidence ${flow} ${fact.name} ${fact.type} ${fact.level}`
    : `decide ${flow} ${fact.name} ${fact.control}`
}

const fitsType = (pattern: string, type: string): boolean => pattern === "*" || pattern === type

const play = (facts: Facts, steps: ReadonlyArray<ModelStep>, { now }: Moment): Facts => ({
  artifact: facts.artifact,
  flows: facts.flows.map((flow) => {
    const own = steps.filter((step) => step.flow === flow.flow_name)
    const added = own.flatMap(({ fact }, index) =>
      fact === null
        ? []
        : [{ ...fact, sequence: 1_000_000_000 + index, reported_at: now / 1_000_000 }]
    )
    const open = flow.entries?.filter(
      (entry) =>
        !added.some(
          ({ level, name, type }) =>
            level === entry.level &&
            name === entry.attestation_name &&
            fitsType(entry.attestation_type, type)
        )
    )
    const isDone =
      own.some((step) => step.fact === null && !step.isReport) ||
      (open !== undefined && open.length === 0 && (flow.entries?.length ?? 0) > 0)
    return {
      ...flow,
      ...(own.some((step) => step.fact === null && step.isReport)
        ? { reported_at: now / 1_000_000 }
        : {}),
      artifact_status: isDone ? ("COMPLIANT" as const) : flow.artifact_status,
      attestations: [...flow.attestations, ...added]
    }
  })
})

/** Whether every policy holds after the steps. */
export const isEnough = (
  policies: ReadonlyArray<ModelPolicy>,
  facts: Facts,
  { moment, steps }: { readonly steps: ReadonlyArray<ModelStep>; readonly moment: Moment }
): boolean =>
  PolicyEvaluationModel.evaluate(
    policies,
    play(facts, steps, moment),
    moment
  ).policy_decisions.every(({ status }) => status === "COMPLIANT")

interface Failing {
  readonly flow: FlowView
  readonly isProvenance: boolean
  readonly rule: AttestationRule | null
}

/** The rules that fail, each with the flows where it does. */
const failing = (
  policies: ReadonlyArray<ModelPolicy>,
  facts: Facts,
  moment: Moment
): ReadonlyArray<Failing> =>
  PolicyEvaluationModel.evaluate(policies, facts, moment).policy_decisions.flatMap(
    ({ policy_name, rule_evaluations }) =>
      rule_evaluations.flatMap(({ resolutions }, index) =>
        resolutions.flatMap(({ type }, at): ReadonlyArray<Failing> => {
          const flow = facts.flows[at]
          const document: PolicyDocument | undefined = policies.find(
            ({ name }) => name === policy_name
          )?.document
          if (flow === undefined || document === undefined) return []
          if (type === "rule_not_applicable" || type === "rule_satisfied") return []
          const isProvenance = index === 0
          return [{ flow, isProvenance, rule: document.attestations[index - 2] ?? null }]
        })
      )
  )

const unique = (words: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(words)]

/** "What fits among names of the rules and of what exists, and a fresh one where nothing fits." */
const namesFor = (
  rule: AttestationRule,
  flow: FlowView,
  others: ReadonlyArray<AttestationRule>
) => {
  if (rule.name !== "*") return [rule.name]
  const existing = flow.attestations
    .filter(
      ({ control, type }) =>
        fitsType(rule.type, type) && (rule.forControl === null || rule.forControl === control)
    )
    .map(({ name }) => name)
  const asked = others
    .filter(
      ({ forControl, name, type }) =>
        name !== "*" &&
        (type === "*" || fitsType(rule.type, type)) &&
        (rule.forControl === null || forControl === null || forControl === rule.forControl)
    )
    .map(({ name }) => name)
  const fresh = rule.forControl ?? rule.type.replace("custom:", "")
  return unique([...existing, ...asked, ...(existing.length === 0 ? [fresh] : [])])
}

const typesFor = (
  rule: AttestationRule,
  at: { readonly flow: FlowView; readonly name: string },
  others: ReadonlyArray<AttestationRule>
) => {
  if (rule.type !== "*") return [rule.type]
  const known = [
    ...at.flow.attestations.filter(({ name }) => name === at.name).map(({ type }) => type),
    ...others
      .filter(({ name, type }) => type !== "*" && (name === at.name || name === "*"))
      .map(({ type }) => type),
    ...(at.flow.entries ?? [])
      .filter(({ attestation_name }) => attestation_name === at.name)
      .map(({ attestation_type }) => attestation_type)
  ]
  return known.length === 0 ? ["generic"] : unique(known)
}

const stepsFor = (
  { flow, isProvenance, rule }: Failing,
  others: ReadonlyArray<AttestationRule>
): ReadonlyArray<ModelStep> => {
  const at = flow.flow_name
  if (isProvenance) return [{ flow: at, fact: null, isReport: true }]
  if (rule === null)
    return flow.entries === undefined || flow.entries.length === 0
      ? [{ flow: at, fact: null, isReport: false }]
      : flow.entries.map(({ attestation_name: name, attestation_type: type, level }) => ({
          flow: at,
          fact: { name, type, level, is_compliant: true, control: null }
        }))
  const made = { is_compliant: true, level: "artifact" as const }
  return namesFor(rule, flow, others).flatMap(
    (name): ReadonlyArray<ModelStep> =>
      rule.forControl === null
        ? typesFor(rule, { flow, name }, others).map((type) => ({
            flow: at,
            fact: { ...made, name, type, control: null }
          }))
        : [{ flow: at, fact: { ...made, name, type: "decision", control: rule.forControl } }]
  )
}

/** Every step of the table for the rules that fail, each once. */
export const universe = (
  policies: ReadonlyArray<ModelPolicy>,
  facts: Facts,
  moment: Moment
): ReadonlyArray<ModelStep> => {
  const all = failing(policies, facts, moment)
  const rules = all.flatMap(({ rule }) => (rule === null ? [] : [rule]))
  return [
    ...new Map(
      all.flatMap((one) => stepsFor(one, rules)).map((step) => [textOf(step), step])
    ).values()
  ]
}

/** The smallest subsets of the universe that are enough, each as its sorted texts. */
export const remedies = (
  policies: ReadonlyArray<ModelPolicy>,
  facts: Facts,
  moment: Moment
): ReadonlyArray<ReadonlyArray<string>> => {
  const steps = universe(policies, facts, moment)
  const enough: Array<number> = []
  const bySize = Array.from({ length: 2 ** steps.length }, (_, mask) => mask).sort(
    (left, right) => bits(left) - bits(right)
  )
  for (const mask of bySize) {
    if (enough.some((smaller) => (mask & smaller) === smaller)) continue
    const chosen = steps.filter((_, index) => (mask & (1 << index)) !== 0)
    if (isEnough(policies, facts, { steps: chosen, moment })) enough.push(mask)
  }
  return enough.map((mask) =>
    steps
      .filter((_, index) => (mask & (1 << index)) !== 0)
      .map(textOf)
      .sort()
  )
}

const bits = (mask: number): number => {
  let count = 0
  for (let rest = mask; rest > 0; rest >>= 1) count += rest & 1
  return count
}
