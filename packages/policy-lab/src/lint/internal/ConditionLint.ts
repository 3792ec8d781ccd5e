/** Remarks about single conditions: which of True, False and Error they can be on any facts. */
import type { Paused } from "@attestry/core/Paused"
import type { PolicyDocument } from "@attestry/core/PolicyDocument"
import * as PolicyExpression from "@attestry/core/PolicyExpression"
import { children, type Expression, print } from "@attestry/core/PolicyExpressionTree"
import { ERROR, FALSE, type Ternary, TRUE } from "@attestry/core/PolicyPredicate"
import { scopeOf, termOf } from "../../solver/internal/ConditionFormula.js"
import {
  type Assignment,
  atOnce,
  Budget,
  searching
} from "../../solver/internal/ConditionSearch.js"
import { type Draft, type PlacedCondition, placedConditions } from "./LintDraft.js"

const TRUTHS: { readonly [T in Ternary]: PolicyExpression.Truth } = {
  [TRUE]: "True",
  [FALSE]: "False",
  [ERROR]: "Error"
}

/** Values for which the condition has the answer; null when there are none, undefined when it is not known. */
function* shows(
  expression: Expression,
  answer: Ternary,
  { budget, withFlow }: { readonly budget: Budget; readonly withFlow: boolean }
): Paused<Assignment | null | undefined> {
  const constraint = { expression, allowed: [answer] }
  const isShown = (values: Assignment): boolean =>
    PolicyExpression.evaluate(expression, scopeOf(values, withFlow)) === TRUTHS[answer]
  const confirm = atOnce((values) => (isShown(values) ? values : undefined))
  const found = yield* searching([constraint], { withFlow, budget }, confirm)
  return found._tag === "Found" ? found.value : found._tag === "None" ? null : undefined
}

/** Whether the condition never has the answer, with or without a flow. */
function* isNever(expression: Expression, answer: Ternary, budget: Budget): Paused<boolean> {
  for (const withFlow of [true, false])
    if ((yield* shows(expression, answer, { budget, withFlow })) !== null) return false
  return true
}

const isOrder = (node: Expression): boolean =>
  node._tag === "Compare" && node.operator !== "==" && node.operator !== "!="

/** The tag that an order is asked of, and that is missing or no number where the condition is Error. */
const culprit = (expression: Expression, values: Assignment) =>
  PolicyExpression.nodes(expression)
    .filter(isOrder)
    .flatMap((node) => children(node).map((part) => ({ part, node })))
    .flatMap(({ node, part }) => {
      const term = termOf(part)
      return term === undefined
        ? []
        : [{ node, part, isMissing: (values.get(term) ?? null) === null }]
    })[0]

const ofError = ({ condition, isException, path }: PlacedCondition, values: Assignment): Draft => {
  const { expression } = condition
  const found = culprit(expression, values)
  const effect = isException ? "the exception does not count" : "the rule applies"
  if (found === undefined)
    return { code: "may_error", path, message: `the condition can be an error, and then ${effect}` }
  const asked = print(found.part)
  const guarded = `exists(${asked}) and ${print(found.node)}`
  const rest = `: write \`${guarded}\` to leave it out`
  return found.isMissing && !condition.text.includes(`exists(${asked})`)
    ? {
        code: "may_error",
        path,
        message: `where \`${asked}\` is missing or no number, this is an error and ${effect}${isException ? "" : rest}`,
        ...(isException ? {} : { suggestion: PolicyExpression.wrap(guarded) })
      }
    : {
        code: "may_error",
        path,
        message: `where \`${asked}\` is no number, this is an error and ${effect}`
      }
}

/** The term that two parts of an `and` compare with different texts, and the condition with `or` instead. */
const contradiction = (expression: Expression) => {
  if (expression._tag !== "And") return undefined
  const seen = new Map<string, string>()
  for (const part of expression.terms) {
    if (part._tag !== "Compare" || part.operator !== "==") continue
    const [left, right] = [print(part.left), print(part.right)]
    const before = seen.get(left)
    if (termOf(part.left) !== undefined && before !== undefined && before !== right)
      return { term: left, values: [before, right], meant: print({ ...expression, _tag: "Or" }) }
    seen.set(left, right)
  }
  return undefined
}

/** The remark about a condition that asks two things of one value, with what was probably meant. */
const contradicted = (
  { condition, isException, path }: PlacedCondition,
  code: Draft["code"]
): Draft | undefined => {
  const found = contradiction(condition.expression)
  if (found === undefined) return undefined
  const effect = isException ? "the exception never counts" : "the rule never applies"
  const suggestion = PolicyExpression.wrap(found.meant)
  return {
    code,
    path,
    message:
      `\`${found.term}\` cannot be both ${found.values.join(" and ")}, so ${effect}: ` +
      `join them with \`or\`: write \`${suggestion}\``,
    suggestion
  }
}

const neverTrue = (placed: PlacedCondition, isDead: boolean): Draft => {
  const { isException, path } = placed
  const code = isException ? "dead_exception" : "dead_rule"
  const both = isException || isDead ? contradicted(placed, code) : undefined
  if (both !== undefined) return both
  const why = "no artifact and no flow can make this condition true"
  if (isException)
    return {
      code: "dead_exception",
      path,
      message: `${why}, so the exception never counts: remove it, or correct the condition`
    }
  return isDead
    ? {
        code: "dead_rule",
        path,
        message:
          "this condition is false for every artifact, so the rule never applies: " +
          "remove the rule, or correct the condition"
      }
    : {
        code: "condition_never_true",
        path,
        message: `${why}; it is false or an error, and the rule applies on errors alone: correct the condition`
      }
}

const alwaysTrue = ({ isException, path }: PlacedCondition): Draft => ({
  code: "condition_always_true",
  path,
  message: isException
    ? "this condition is true for every artifact, so nothing is required: " +
      "remove the exception, or write `required: false`"
    : "this condition is true for every artifact: remove `if`, the rule always applies"
})

const alwaysError = ({ isException, path }: PlacedCondition): Draft => {
  const effect = isException ? "the exception never counts" : "the rule always applies"
  return {
    code: "condition_always_error",
    path,
    message: `this condition is an error for every artifact, so ${effect}: compare values that have an order`
  }
}

function* remarksOf(placed: PlacedCondition, budget: Budget): Paused<ReadonlyArray<Draft>> {
  const { expression } = placed.condition
  if (yield* isNever(expression, TRUE, budget)) {
    if (yield* isNever(expression, ERROR, budget)) return [neverTrue(placed, true)]
    const isError = yield* isNever(expression, FALSE, budget)
    return [isError ? alwaysError(placed) : neverTrue(placed, false)]
  }
  const error = yield* shows(expression, ERROR, { budget, withFlow: true })
  if (error !== null && error !== undefined) return [ofError(placed, error)]
  if (!(yield* isNever(expression, FALSE, budget))) return []
  return (yield* isNever(expression, ERROR, budget)) ? [alwaysTrue(placed)] : []
}

/** The remarks about the conditions of a document. */
export function* check(document: PolicyDocument): Paused<ReadonlyArray<Draft>> {
  const budget = new Budget()
  const found: Array<Draft> = []
  for (const placed of placedConditions(document)) found.push(...(yield* remarksOf(placed, budget)))
  return found
}
