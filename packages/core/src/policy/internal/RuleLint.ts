/** Remarks about rules beside other rules: repeated, implied, without effect. DECISION B-327 */
import type { AttestationRule, PolicyDocument } from "../PolicyDocument.js"
import { Budget, type Constraint, search } from "./ConditionSearch.js"
import { type Draft, requirementPath, requirements, rulePath } from "./LintDraft.js"
import type { Path } from "./PolicyDocumentReader.js"
import { type Expression, print } from "./PolicyExpressionTree.js"
import { ERROR, FALSE, TRUE } from "./PolicyPredicate.js"
import * as RuleForce from "./RuleForce.js"

/** The line of a path in the text. */
export type LineOf = (path: Path) => number

const textOf = ({ condition, forControl, mustBeCompliant, name, type }: AttestationRule): string =>
  JSON.stringify([
    type,
    name,
    mustBeCompliant,
    forControl,
    condition && print(condition.expression)
  ])

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
const isWithin = (inner: RuleForce.Rule, outer: RuleForce.Rule, budget: Budget): boolean =>
  [true, false].every(
    (withFlow) =>
      search([RuleForce.applies(inner), RuleForce.skips(outer)], { withFlow, budget }, () => true)
        ._tag === "None"
  )

/** Whether the other rule asks already what this one asks. */
const isImplied = (rule: RuleForce.Rule, other: RuleForce.Rule, budget: Budget): boolean => {
  const decided = RuleForce.decides(other, rule)
  if (!RuleForce.forces(other, rule) && decided === "no") return false
  if (!isWithin(rule, other, budget)) return false
  return rule.kind !== "control" || isWithin(other, rule, budget)
}

const isDead = (rule: RuleForce.Rule, budget: Budget): boolean =>
  [true, false].every(
    (withFlow) =>
      search([RuleForce.applies(rule)], { withFlow, budget }, () => true)._tag === "None"
  )

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

const implied = (
  document: PolicyDocument,
  lineOf: LineOf,
  repeated: ReadonlySet<number>
): ReadonlyArray<Draft> => {
  const budget = new Budget()
  const rules = RuleForce.rulesOf(document).filter(
    ({ asks, index }) => asks !== null && !repeated.has(index - 2)
  )
  const remarks: Array<Draft> = []
  for (const rule of rules) {
    const other = rules.find(
      (one) =>
        one !== rule &&
        isImplied(rule, one, budget) &&
        // WHY: of two rules that imply each other the earlier one stays.
        (one.index < rule.index || !isImplied(one, rule, budget))
    )
    if (other !== undefined && !isDead(rule, budget))
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

/** Exceptions that count only where an earlier one does. */
const coveredExceptions = (document: PolicyDocument, lineOf: LineOf): ReadonlyArray<Draft> => {
  const budget = new Budget()
  return requirements(document).flatMap(({ key, requirement: { exceptions, required } }) =>
    exceptions.flatMap(({ expression }, index): ReadonlyArray<Draft> => {
      const earlier = exceptions.slice(0, index).map((one) => one.expression)
      if (!required || earlier.length === 0) return []
      const canBe = (constraints: ReadonlyArray<Constraint>): boolean =>
        [true, false].some(
          (withFlow) => search(constraints, { withFlow, budget }, () => true)._tag !== "None"
        )
      const holds: Constraint = { expression, allowed: [TRUE] }
      const others: Constraint = { expression: anyOf(earlier), allowed: [FALSE, ERROR] }
      // WHY the first: a condition that is never true has a remark of its own.
      if (!canBe([holds]) || canBe([holds, others])) return []
      const path = [...requirementPath(key), "exceptions", index, "if"]
      const line = lineOf([...requirementPath(key), "exceptions", 0, "if"])
      return [
        {
          code: "dead_exception",
          path,
          message: `the exceptions from line ${line} on cover every artifact that this one does: remove it`
        }
      ]
    })
  )
}

/** The remarks about the rules of a document. */
export const check = (document: PolicyDocument, lineOf: LineOf): ReadonlyArray<Draft> => {
  const repeated = duplicates(document, lineOf)
  return [
    ...withoutRequirement(document),
    ...coveredExceptions(document, lineOf),
    ...repeated.values(),
    ...implied(document, lineOf, new Set(repeated.keys()))
  ]
}
