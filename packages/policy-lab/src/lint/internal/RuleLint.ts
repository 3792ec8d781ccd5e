/** Remarks about rules beside other rules: repeated, implied, without effect. */
import type { Paused } from "@attestry/core/Paused"
import type { AttestationRule, Path, PolicyDocument } from "@attestry/core/PolicyDocument"
import { type Expression, print } from "@attestry/core/PolicyExpressionTree"
import { ERROR, FALSE, TRUE } from "@attestry/core/PolicyPredicate"
import { Budget, type Constraint, isImpossible } from "../../solver/internal/ConditionSearch.js"
import * as RuleForce from "../../solver/internal/RuleForce.js"
import { type Draft, requirementPath, requirements, rulePath } from "./LintDraft.js"

/** The line of a path in the text. */
export type LineOf = (path: Path) => number

const textOf = (rule: AttestationRule): string => {
  const { condition, forControl, maxAge, mustBeCompliant, mustBeVerified, name, type, where } = rule
  return JSON.stringify([
    type,
    name,
    mustBeCompliant,
    forControl,
    condition && print(condition.expression),
    maxAge,
    mustBeVerified,
    where && print(where.expression)
  ])
}

/** The age of a record that nothing asks for. */
const ageWithoutRequirement = ({ provenance }: PolicyDocument): ReadonlyArray<Draft> =>
  provenance.required || provenance.maxAge === undefined
    ? []
    : [
        {
          code: "max_age_without_requirement",
          path: [...requirementPath("provenance"), "max_age"],
          message:
            "`provenance` is not required, so its `max_age` does nothing: " +
            "add `required: true`, or remove it",
          suggestion: "required: true"
        }
      ]

const withoutRequirement = (document: PolicyDocument): ReadonlyArray<Draft> =>
  requirements(document).flatMap(
    ({ key, requirement }): ReadonlyArray<Draft> =>
      requirement.required || requirement.exceptions.length === 0
        ? []
        : [
            {
              code: "exception_without_requirement",
              path: [...requirementPath(key), "exceptions"],
              message:
                `\`${key}\` is not required, so its exceptions do nothing: ` +
                "add `required: true`, or remove them",
              suggestion: "required: true"
            }
          ]
  )

/** Whether a rule never applies where the other one does not. */
const isWithin = (inner: RuleForce.Rule, outer: RuleForce.Rule, budget: Budget): Paused<boolean> =>
  isImpossible([RuleForce.applies(inner), RuleForce.skips(outer)], budget)

/** Whether the other rule asks already what this one asks. */
function* isImplied(rule: RuleForce.Rule, other: RuleForce.Rule, budget: Budget): Paused<boolean> {
  const decided = RuleForce.decides(other, rule)
  if (!RuleForce.forces(other, rule) && decided === "no") return false
  if (!(yield* isWithin(rule, other, budget))) return false
  return rule.kind !== "control" || (yield* isWithin(other, rule, budget))
}

/** The rule that asks what this one asks; of two that imply each other the earlier one. */
function* implying(
  rule: RuleForce.Rule,
  rules: ReadonlyArray<RuleForce.Rule>,
  budget: Budget
): Paused<RuleForce.Rule | undefined> {
  for (const other of rules) {
    if (other === rule || !(yield* isImplied(rule, other, budget))) continue
    if (other.index < rule.index || !(yield* isImplied(other, rule, budget))) return other
  }
  return undefined
}

const duplicates = (
  { attestations }: PolicyDocument,
  lineOf: LineOf
): ReadonlyMap<number, Draft> => {
  const first = new Map<string, number>()
  const found = new Map<number, Draft>()
  for (const [index, rule] of attestations.entries()) {
    const before = first.get(textOf(rule))
    if (before === undefined) first.set(textOf(rule), index)
    else
      found.set(index, {
        code: "duplicate_rule",
        path: rulePath(index),
        message: `the rule on line ${lineOf(rulePath(before))} says the same: remove one of them`
      })
  }
  return found
}

function* implied(
  document: PolicyDocument,
  lineOf: LineOf,
  repeated: ReadonlySet<number>
): Paused<ReadonlyArray<Draft>> {
  const budget = new Budget()
  const rules = RuleForce.rulesOf(document).filter(
    ({ asks, index }) => asks !== null && !repeated.has(index - 2)
  )
  const remarks: Array<Draft> = []
  for (const rule of rules) {
    const other = yield* implying(rule, rules, budget)
    if (other !== undefined && !(yield* isImpossible([RuleForce.applies(rule)], budget)))
      remarks.push({
        code: "rule_implied",
        path: rulePath(rule.index - 2),
        message: `the rule on line ${lineOf(rulePath(other.index - 2))} asks this already: this one can go`
      })
  }
  return remarks
}

const anyOf = (conditions: ReadonlyArray<Expression>): Expression =>
  conditions.length === 1 && conditions[0] !== undefined
    ? conditions[0]
    : { _tag: "Or", terms: conditions }

/** Whether an exception counts only where earlier ones do. */
function* isCovered(
  expression: Expression,
  earlier: ReadonlyArray<Expression>,
  budget: Budget
): Paused<boolean> {
  const holds: Constraint = { expression, allowed: [TRUE] }
  const others: Constraint = { expression: anyOf(earlier), allowed: [FALSE, ERROR] }
  // WHY the first: a condition that is never true has a remark of its own.
  if (yield* isImpossible([holds], budget)) return false
  return yield* isImpossible([holds, others], budget)
}

/** Exceptions that count only where an earlier one does. */
function* coveredExceptions(
  document: PolicyDocument,
  lineOf: LineOf
): Paused<ReadonlyArray<Draft>> {
  const budget = new Budget()
  const found: Array<Draft> = []
  for (const { key, requirement } of requirements(document)) {
    if (!requirement.required) continue
    const expressions = requirement.exceptions.map(({ expression }) => expression)
    const line = lineOf([...requirementPath(key), "exceptions", 0, "if"])
    for (const [index, expression] of expressions.entries())
      if (index > 0 && (yield* isCovered(expression, expressions.slice(0, index), budget)))
        found.push({
          code: "dead_exception",
          path: [...requirementPath(key), "exceptions", index, "if"],
          message: `the exceptions from line ${line} on cover every artifact that this one does: remove it`
        })
  }
  return found
}

/** The rules that refuse every artifact without a flow for which an exception of provenance is true. */
function* stillFailing(
  exception: Expression,
  rules: ReadonlyArray<RuleForce.Rule>,
  budget: Budget
): Paused<ReadonlyArray<RuleForce.Rule>> {
  const holds: Constraint = { expression: exception, allowed: [TRUE] }
  // WHY the first: a condition that is never true without a flow lets nothing run, and may be meant for later.
  if (yield* isImpossible([holds], budget, WITHOUT_FLOW)) return []
  const failing: Array<RuleForce.Rule> = []
  for (const rule of rules)
    if (yield* isImpossible([holds, RuleForce.skips(rule)], budget, WITHOUT_FLOW))
      failing.push(rule)
  return failing
}

/** The situation of an artifact that no flow knows. */
const WITHOUT_FLOW: ReadonlyArray<boolean> = [false]

const joined = (parts: ReadonlyArray<string | number>): string =>
  parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`

const sayStillFailing = (rules: ReadonlyArray<RuleForce.Rule>, lineOf: LineOf): string => {
  const lines = rules.flatMap(({ asks, index }) =>
    asks === null ? [] : [lineOf(rulePath(index - 2))]
  )
  const isTrail = rules.some(({ kind }) => kind === "trail-compliance")
  const others =
    lines.length === 0
      ? []
      : [
          `the rule${lines.length === 1 ? "" : "s"} on line${lines.length === 1 ? "" : "s"} ${joined(lines)}`
        ]
  const trail = isTrail ? ["`trail-compliance`"] : []
  const advice = [
    ...(isTrail ? ["the exception to `trail-compliance`"] : []),
    ...(lines.length === 0
      ? []
      : [`a condition to ${isTrail ? "the others" : "them"} that is false for it`])
  ]
  return (
    `this exception lifts one rule; the artifact still fails ${joined([...trail, ...others])}: ` +
    `add ${advice.join(", and ")}`
  )
}

/**
 * Exceptions of provenance that let nothing run: an artifact that no flow knows has no trail and no evidence either, so
 * every other rule that applies refuses it.
 */
function* insufficientExceptions(
  document: PolicyDocument,
  lineOf: LineOf
): Paused<ReadonlyArray<Draft>> {
  const budget = new Budget()
  const { exceptions, required } = document.provenance
  if (!required) return []
  const rules = RuleForce.rulesOf(document).filter(({ kind }) => kind !== "provenance")
  const found: Array<Draft> = []
  for (const [index, { expression }] of exceptions.entries()) {
    const failing = yield* stillFailing(expression, rules, budget)
    if (failing.length > 0)
      found.push({
        code: "exception_not_enough",
        path: [...requirementPath("provenance"), "exceptions", index, "if"],
        message: sayStillFailing(failing, lineOf)
      })
  }
  return found
}

/** The remarks about the rules of a document. */
export function* check(document: PolicyDocument, lineOf: LineOf): Paused<ReadonlyArray<Draft>> {
  const repeated = duplicates(document, lineOf)
  return [
    ...withoutRequirement(document),
    ...ageWithoutRequirement(document),
    ...(yield* coveredExceptions(document, lineOf)),
    ...(yield* insufficientExceptions(document, lineOf)),
    ...repeated.values(),
    ...(yield* implied(document, lineOf, new Set(repeated.keys())))
  ]
}
