/**
 * Conditions as formulas over tests, and their value while the answers of some tests are still open.
 *
 * A test asks about at most two terms; everything above it is logic. An open answer is 0, so that a search can
 * cut a branch before all terms are assigned.
 */
import * as PolicyExpression from "@attestry/core/PolicyExpression"
import { children, type Expression, print } from "@attestry/core/PolicyExpressionTree"
import {
  ERROR,
  FALSE,
  fromBoolean,
  literalValue,
  type Ternary,
  TRUE
} from "@attestry/core/PolicyPredicate"
import { equals, type Value } from "@attestry/core/PolicyValue"

/** A value that conditions read: `flow.name`, `artifact.name`, `artifact.fingerprint` or `flow.tags.KEY`. */
export type Term = string

/** The value of a term; null when it is missing. */
export type TermValue = string | null

/** An answer, or 0 while it is open. */
export type Open = 0 | Ternary

/** The name of a flow as a term. */
export const FLOW_NAME = "flow.name"
/** The name of the artifact as a term. */
export const ARTIFACT_NAME = "artifact.name"
/** The fingerprint of the artifact as a term. */
export const FINGERPRINT = "artifact.fingerprint"

/** The term of a tag. */
export const tagTerm = (key: string): Term => `flow.tags.${key}`

/** The key of a tag's term; undefined for another term. */
export const tagKey = (term: Term): string | undefined =>
  term.startsWith("flow.tags.") ? term.slice("flow.tags.".length) : undefined

/** A comparison, a membership, an existence or a search: a test whose operands are no conditions. */
export interface ConditionTest {
  readonly node: Expression
  /** The terms that it reads, each once: none, one or two. */
  readonly terms: ReadonlyArray<Term>
}

/** A formula; `test` is a position in the list of tests. */
export type Formula =
  | { readonly _tag: "Constant"; readonly value: Ternary }
  | { readonly _tag: "Test"; readonly test: number }
  | { readonly _tag: "And" | "Or"; readonly parts: ReadonlyArray<Formula> }
  | { readonly _tag: "Not"; readonly part: Formula }
  /** A test of conditions: each operand is a formula or a value that is no condition. */
  | {
      readonly _tag: "Outer"
      readonly node: Expression
      readonly operands: ReadonlyArray<Formula | undefined>
    }

const isSimple = ({ _tag }: Expression): boolean =>
  ["Text", "Number", "Boolean", "Null", "Tag", "Field"].includes(_tag)

/** The term of a path; undefined for any other expression. */
export const termOf = (expression: Expression): Term | undefined =>
  expression._tag === "Tag"
    ? tagTerm(expression.key)
    : expression._tag === "Field" &&
        [FLOW_NAME, ARTIFACT_NAME, FINGERPRINT].includes(expression.field)
      ? expression.field
      : undefined

const termsOf = (node: Expression): ReadonlyArray<Term> => [
  ...new Set(children(node).flatMap((part) => termOf(part) ?? []))
]

/** Collects the tests of conditions; equal tests are one. */
export class FormulaBuilder {
  readonly tests: Array<ConditionTest> = []
  readonly #known = new Map<string, number>()

  constructor(private readonly keyOf: (node: Expression) => string = print) {}

  /** The formula of a condition. */
  add(expression: Expression): Formula {
    switch (expression._tag) {
      case "Boolean":
        return { _tag: "Constant", value: fromBoolean(expression.value) }
      case "And":
      case "Or":
        return { _tag: expression._tag, parts: expression.terms.map((term) => this.add(term)) }
      case "Not":
        return { _tag: "Not", part: this.add(expression.term) }
      case "Compare":
      case "In":
      case "Exists":
      case "Matches":
        return children(expression).every(isSimple)
          ? { _tag: "Test", test: this.#test(expression) }
          : this.#outer(expression)
      default:
        // INVARIANT: a checked expression has no other condition.
        return { _tag: "Constant", value: ERROR }
    }
  }

  #outer(node: Expression): Formula {
    const operands = children(node).map((part) => (isSimple(part) ? undefined : this.add(part)))
    return { _tag: "Outer", node, operands }
  }

  #test(node: Expression): number {
    const key = this.keyOf(node)
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const index = this.tests.push({ node, terms: termsOf(node) }) - 1
    this.#known.set(key, index)
    return index
  }
}

const conjunction = (parts: ReadonlyArray<Formula>, answers: ReadonlyArray<Open>): Open => {
  let result: Open = TRUE
  for (const part of parts) {
    const one = value(part, answers)
    if (one === FALSE) return FALSE
    if (one === 0) result = 0
    else if (one === ERROR && result !== 0) result = ERROR
  }
  return result
}

const disjunction = (parts: ReadonlyArray<Formula>, answers: ReadonlyArray<Open>): Open => {
  let result: Open = FALSE
  for (const part of parts) {
    const one = value(part, answers)
    if (one === TRUE) return TRUE
    if (one === 0) result = 0
    else if (one === ERROR && result !== 0) result = ERROR
  }
  return result
}

const negation = (one: Open): Open => (one === TRUE ? FALSE : one === FALSE ? TRUE : one)

/** A value that equals no condition: a text, a number or a missing value, whichever it is. */
const OTHER = "a text"

const operandValue = (part: Expression, known: Ternary | undefined): Value =>
  known !== undefined
    ? known === TRUE
    : part._tag === "Boolean" || part._tag === "Null" || part._tag === "Number"
      ? literalValue(part)
      : OTHER

/** A test of conditions: they are equal or not, and have no order. */
const outer = (
  node: Expression,
  operands: ReadonlyArray<Formula | undefined>,
  answers: ReadonlyArray<Open>
): Open => {
  const known = operands.map((operand) => operand && value(operand, answers))
  if (known.includes(0)) return 0
  if (known.includes(ERROR)) return ERROR
  const values = children(node).map((part, index) => {
    const one = known[index]
    return operandValue(part, one === 0 ? undefined : one)
  })
  const [left = null, right = null] = values
  if (node._tag === "Exists") return TRUE
  if (node._tag === "In")
    return fromBoolean(node.list.some((item) => equals(left, literalValue(item))))
  if (node._tag !== "Compare") return ERROR
  if (node.operator === "==") return fromBoolean(equals(left, right))
  return node.operator === "!=" ? fromBoolean(!equals(left, right)) : ERROR
}

/** The value of a formula, or 0 while the answers given do not decide it. */
export const value = (formula: Formula, answers: ReadonlyArray<Open>): Open => {
  switch (formula._tag) {
    case "Constant":
      return formula.value
    case "Test":
      return answers[formula.test] ?? 0
    case "And":
      return conjunction(formula.parts, answers)
    case "Or":
      return disjunction(formula.parts, answers)
    case "Not":
      return negation(value(formula.part, answers))
    case "Outer":
      return outer(formula.node, formula.operands, answers)
  }
}

/** The positions of the tests of a formula. */
export const testsOf = (formula: Formula): ReadonlyArray<number> => {
  switch (formula._tag) {
    case "Constant":
      return []
    case "Test":
      return [formula.test]
    case "Not":
      return testsOf(formula.part)
    case "Outer":
      return formula.operands.flatMap((operand) => (operand === undefined ? [] : testsOf(operand)))
    default:
      return formula.parts.flatMap(testsOf)
  }
}

/** The scope in which terms have these values; a term without one is missing, or a text that no test names. */
export const scopeOf = (
  values: ReadonlyMap<Term, TermValue>,
  withFlow: boolean
): PolicyExpression.Scope => ({
  artifact: {
    name: values.get(ARTIFACT_NAME) ?? "some-artifact",
    fingerprint: values.get(FINGERPRINT) ?? "0".repeat(64)
  },
  flow: withFlow
    ? {
        flow_name: values.get(FLOW_NAME) ?? "some-flow",
        tags: Object.fromEntries(
          [...values].flatMap(([term, text]) => {
            const key = tagKey(term)
            return key === undefined || text === null ? [] : [[key, text]]
          })
        )
      }
    : null
})

const TRUTHS: { readonly [T in PolicyExpression.Truth]: Ternary } = {
  True: TRUE,
  False: FALSE,
  Error: ERROR
}

/** The answer of a test in a scope. */
export type Evaluate = (scope: PolicyExpression.Scope) => Ternary

/** The answer of a test by the evaluator, as a function of the scope. */
export const evaluating = (node: Expression): Evaluate => {
  const evaluate = PolicyExpression.compile(node)
  return (scope) => TRUTHS[evaluate(scope)]
}

/** The answer of a test in one scope. */
export const answerIn = (node: Expression, scope: PolicyExpression.Scope): Ternary =>
  evaluating(node)(scope)
