/**
 * Compiles the rules of a set of policies with shared predicates and memo slots.
 *
 * All documents of a set are compiled together: a rule alone does not show which parts repeat.
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as PolicyDocument from "../PolicyDocument.js"
import * as PolicyExpression from "../PolicyExpression.js"
import * as PolicyPattern from "../PolicyPattern.js"
import { ExpressionCompiler } from "./PolicyExpressionCompiler.js"
import type { Slots } from "./PolicyRow.js"
import type { RuleCompiler } from "./PolicyRules.js"

const questionOf = (rule: PolicyDocument.AttestationRule): string => {
  const { mustBeCompliant, mustBeVerified, name, type, where } = rule
  const facts = where === undefined ? "" : PolicyExpression.print(where.expression)
  return `${mustBeCompliant} ${mustBeVerified === true} ${type} ${name} ${facts}`
}

type Documents = ReadonlyArray<PolicyDocument.PolicyDocument>

/** Compiles each pattern once for all policies. */
const patternsOnce = (): ((source: string) => PolicyPattern.PolicyPattern | undefined) => {
  const known = new Map<string, PolicyPattern.PolicyPattern | undefined>()
  return (source) => {
    if (!known.has(source))
      known.set(
        source,
        Either.getOrElse(PolicyPattern.compile(source), () => undefined)
      )
    return known.get(source)
  }
}

/** The expression that is True when one of several conditions is. */
const anyOf = (
  conditions: ReadonlyArray<PolicyDocument.Condition>
): Option.Option<PolicyExpression.PolicyExpression> => {
  const [first, ...others] = conditions.map(({ expression }) => expression)
  if (first === undefined) return Option.none()
  return Option.some(others.length === 0 ? first : { _tag: "Or", terms: [first, ...others] })
}

/** The conditions of rules, rule by rule. */
const gatesOf = (
  document: PolicyDocument.PolicyDocument
): ReadonlyArray<PolicyExpression.PolicyExpression> =>
  [
    document.provenance.required ? document.provenance.exceptions : [],
    document.trailCompliance.required ? document.trailCompliance.exceptions : [],
    ...document.attestations.map(({ condition }) => (condition === null ? [] : [condition]))
  ].flatMap((conditions) => Option.toArray(anyOf(conditions)))

/** Numbers the keys that occur more than once. */
const numberRepeated = (questions: ReadonlyArray<string>): ReadonlyMap<string, number> => {
  const once = new Set<string>()
  const numbers = new Map<string, number>()
  for (const question of questions) {
    if (once.has(question) && !numbers.has(question)) numbers.set(question, numbers.size)
    once.add(question)
  }
  return numbers
}

/** A compiler for the rules of these documents, and the memo slots of a row. */
export const make = (documents: Documents): RuleCompiler & { readonly slots: Slots } => {
  const gates = documents.flatMap(gatesOf)
  const expressions = new ExpressionCompiler(gates, patternsOnce())
  for (const gate of gates) expressions.compile(gate)
  const { ofFlow, ofRow } = expressions.slots
  const rules = documents.flatMap(({ attestations }) => attestations)
  const decisions = rules.filter(({ forControl }) => forControl !== null)
  // WHY: a decision is searched over the flows that a rule applies to, so each rule has its own slot.
  const ofDecision = new Map(decisions.map((rule, index) => [rule, ofRow + index]))
  // WHY not those with an age: their results also depend on the moment.
  const ofEvidence = numberRepeated(
    rules
      .filter(({ forControl, maxAge }) => forControl === null && maxAge === undefined)
      .map(questionOf)
  )
  const controls = [...new Set(documents.flatMap(PolicyDocument.controlsReferenced))]
  const slots = { ofRow: ofRow + decisions.length, ofFlow: ofFlow + ofEvidence.size }
  return {
    predicate: (conditions) =>
      Option.match(anyOf(conditions), {
        onNone: () => null,
        onSome: (expression) => expressions.compile(expression)
      }),
    slotOf: (rule) => {
      const index = rule.maxAge === undefined ? ofEvidence.get(questionOf(rule)) : undefined
      return ofDecision.get(rule) ?? (index === undefined ? -1 : ofFlow + index)
    },
    indexOf: (control) => controls.indexOf(control),
    slots: { ...slots, blank: new Array(slots.ofRow + slots.ofFlow).fill(0), controls }
  }
}
