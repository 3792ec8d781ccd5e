/**
 * Remarks about conditions on facts: those that no evidence satisfies, those that all evidence satisfies, and facts
 * that no evidence of the rule's type has.
 */
import * as AttestationFacts from "@attestry/core/AttestationFacts"
import * as NearestName from "@attestry/core/NearestName"
import type { AttestationRule, PolicyDocument } from "@attestry/core/PolicyDocument"
import * as PolicyExpression from "@attestry/core/PolicyExpression"
import { type Expression, print } from "@attestry/core/PolicyExpressionTree"
import * as PolicyValue from "@attestry/core/PolicyValue"
import { type Draft, rulePath } from "./LintDraft.js"

/** Which values a condition can have on any facts; a value counts unless it is known to be impossible. */
interface Possible {
  readonly isTrue: boolean
  readonly isFalse: boolean
  readonly isError: boolean
}

const ANY: Possible = { isTrue: true, isFalse: true, isError: true }
const NEVER_TRUE: Possible = { isTrue: false, isFalse: true, isError: true }

const exactly = (holds: boolean): Possible => ({ isTrue: holds, isFalse: !holds, isError: false })

/** Whether no number passes both of two comparisons. */
const contradicts = (one: Bound, other: Bound): boolean => {
  const order = PolicyValue.compareDecimals(one.number, other.number)
  if (one.operator === "==" && other.operator === "==") return order !== 0
  const isAbove = one.operator === ">" || one.operator === ">=" || one.operator === "=="
  const isBelow = other.operator === "<" || other.operator === "<=" || other.operator === "=="
  if (!isAbove || !isBelow) return false
  return order > 0 || (order === 0 && (one.operator === ">" || other.operator === "<"))
}

interface Bound {
  readonly path: string
  readonly operator: string
  readonly number: PolicyValue.Decimal
}

const boundOf = (node: Expression): ReadonlyArray<Bound> => {
  if (node._tag !== "Compare" || node.left._tag !== "Fact" || node.right._tag !== "Number")
    return []
  const number = PolicyValue.decimal(node.right.digits)
  return number === undefined ? [] : [{ path: node.left.path, operator: node.operator, number }]
}

const isContradiction = (terms: ReadonlyArray<Expression>): boolean => {
  const bounds = terms.flatMap(boundOf)
  return bounds.some((one) =>
    bounds.some((other) => one.path === other.path && contradicts(one, other))
  )
}

const hasNull = (parts: ReadonlyArray<Expression>): boolean =>
  parts.some(({ _tag }) => _tag === "Null") && parts.some(({ _tag }) => _tag === "Fact")

const all = (parts: ReadonlyArray<Possible>, isContradictory: boolean): Possible => ({
  isTrue: !isContradictory && parts.every(({ isTrue }) => isTrue),
  isFalse: parts.some(({ isFalse }) => isFalse) || isContradictory,
  isError: parts.some(({ isError }) => isError)
})

const negated = ({ isError, isFalse, isTrue }: Possible): Possible => ({
  isTrue: isFalse,
  isFalse: isTrue,
  isError
})

const possible = (node: Expression): Possible => {
  switch (node._tag) {
    case "Boolean":
      return exactly(node.value)
    case "And":
      return all(node.terms.map(possible), isContradiction(node.terms))
    case "Or":
      return negated(
        all(
          node.terms.map((term) => negated(possible(term))),
          false
        )
      )
    case "Not":
      return negated(possible(node.term))
    case "Compare":
      // WHY: a fact that is missing or null is an Error, so that no fact is ever null.
      return node.operator !== "!=" && hasNull([node.left, node.right]) ? NEVER_TRUE : ANY
    case "In":
      return node.list.every(({ _tag }) => _tag === "Null") ? NEVER_TRUE : ANY
    default:
      return ANY
  }
}

const ofTruth = (rule: AttestationRule, path: Draft["path"]): ReadonlyArray<Draft> => {
  if (rule.where === undefined) return []
  const found = possible(rule.where.expression)
  if (!found.isTrue)
    return [
      {
        code: "condition_never_true",
        path,
        message:
          "no evidence can make this condition true, so nothing satisfies the rule: correct the condition" +
          (print(rule.where.expression).includes("null")
            ? ", and ask `exists(…)`, not for null"
            : "")
      }
    ]
  return found.isFalse || found.isError
    ? []
    : [
        {
          code: "condition_always_true",
          path,
          message: "this condition is true for all evidence: remove `where`"
        }
      ]
}

/** Whether facts have something at a path: a fact, or an object with facts. */
const isKnown = (path: string, known: ReadonlyArray<string>): boolean =>
  path === "truncated" || known.some((one) => one === path || one.startsWith(`${path}.`))

const ofNames = (rule: AttestationRule, path: Draft["path"]): ReadonlyArray<Draft> => {
  if (rule.where === undefined) return []
  const known = AttestationFacts.pathsOf(rule.type)
  return PolicyExpression.factPaths(rule.where.expression).flatMap((name): ReadonlyArray<Draft> => {
    if (isKnown(name, known)) return []
    const nearest = NearestName.find(name, known)
    const advice =
      known.length === 0
        ? `attestations of type \`${rule.type}\` have no facts`
        : nearest === undefined
          ? `the facts are ${known.map((one) => `\`${one}\``).join(", ")}`
          : `write \`facts.${nearest}\``
    return [
      {
        code: "unknown_fact",
        path,
        message: `no evidence has the fact \`facts.${name}\`: ${advice}`,
        ...(nearest === undefined ? {} : { suggestion: `facts.${nearest}` })
      }
    ]
  })
}

/** The remarks about the conditions on facts of a document. */
export const check = ({ attestations }: PolicyDocument): ReadonlyArray<Draft> =>
  attestations.flatMap((rule, index) => {
    const path = [...rulePath(index), "where"]
    return [...ofTruth(rule, path), ...ofNames(rule, path)]
  })
