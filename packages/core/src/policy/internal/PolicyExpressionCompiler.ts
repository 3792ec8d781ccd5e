/**
 * Compiles expressions into closures. E1
 *
 * Equal conditions of one compiler are evaluated once per flow, and those that do not read the flow once per
 * row. No code is generated from text.
 */
import * as Arr from "effect/Array"
import { children, type Expression, print } from "../PolicyExpressionTree.js"
import type { PolicyPattern } from "../PolicyPattern.js"
import {
  compileAnd,
  compileComparison,
  compileExists,
  compileIn,
  compileNot,
  compileNumberComparison,
  compileOr,
  compileTextEquality,
  ERROR,
  evaluate,
  FALSE,
  fromBoolean,
  literalValue,
  type Predicate,
  type Read,
  readText,
  type Test,
  TRUE
} from "../PolicyPredicate.js"
import { kindOf } from "./PolicyExpressionTypes.js"

const looksAtFlow = (expression: Expression): boolean =>
  expression._tag === "Tag" ||
  (expression._tag === "Field" && expression.field.startsWith("flow")) ||
  children(expression).some(looksAtFlow)

/** Counts the uses of each part; the parts of a repeated part are counted once. */
const countUses = (expressions: ReadonlyArray<Expression>): ReadonlyMap<string, number> => {
  const uses = new Map<string, number>()
  const visit = (expression: Expression): void => {
    const key = print(expression)
    const before = uses.get(key) ?? 0
    uses.set(key, before + 1)
    if (before === 0) children(expression).forEach(visit)
  }
  expressions.forEach(visit)
  return uses
}

/** Compiles expressions that are evaluated on the same rows. */
export class ExpressionCompiler {
  #slotsOfFlow = 0
  #slotsOfRow = 0
  readonly #predicates = new Map<string, Predicate>()
  readonly #uses: ReadonlyMap<string, number>
  readonly #patternOf: (source: string) => PolicyPattern | undefined

  constructor(
    expressions: ReadonlyArray<Expression>,
    patternOf: (source: string) => PolicyPattern | undefined
  ) {
    this.#uses = countUses(expressions)
    this.#patternOf = patternOf
  }

  /** The number of memo slots so far. */
  get slots(): { readonly ofFlow: number; readonly ofRow: number } {
    return { ofFlow: this.#slotsOfFlow, ofRow: this.#slotsOfRow }
  }

  /** The predicate of a condition; equal conditions share one. */
  compile(expression: Expression): Predicate {
    const key = print(expression)
    const known = this.#predicates.get(key)
    if (known !== undefined) return known
    const test = this.#build(expression)
    const isOfRow = !looksAtFlow(expression)
    const isRepeated = (this.#uses.get(key) ?? 0) > 1 || (isOfRow && expression._tag === "Matches")
    const isWorthIt = isRepeated && expression._tag !== "Boolean"
    const slot = !isWorthIt ? -1 : isOfRow ? this.#slotsOfRow++ : this.#slotsOfFlow++
    const predicate = { test, slot, isOfRow }
    this.#predicates.set(key, predicate)
    return predicate
  }

  #read(expression: Expression): Read {
    switch (expression._tag) {
      case "Text":
      case "Tag":
      case "Field":
        return readText(expression)
      case "Number":
      case "Null": {
        const value = literalValue(expression)
        return () => value
      }
      default: {
        const predicate = this.compile(expression)
        return (frame) => {
          const result = evaluate(predicate, frame)
          return result === ERROR ? undefined : result === TRUE
        }
      }
    }
  }

  // WHY: the order of a chain does not change its value (COND-1), and memoised terms decide most chains.
  #terms(terms: ReadonlyArray<Expression>): ReadonlyArray<Predicate> {
    const [others, memoised] = Arr.partition(
      terms.map((term) => this.compile(term)),
      ({ slot }) => slot >= 0
    )
    return [...memoised, ...others]
  }

  #build(expression: Expression): Test {
    switch (expression._tag) {
      case "Or":
        return compileOr(this.#terms(expression.terms))
      case "And":
        return compileAnd(this.#terms(expression.terms))
      case "Not":
        return compileNot(this.compile(expression.term))
      case "Compare":
        return (
          compileTextEquality(expression) ??
          compileNumberComparison(expression) ??
          compileComparison(
            expression.operator,
            this.#read(expression.left),
            this.#read(expression.right)
          )
        )
      case "In":
        return compileIn(this.#read(expression.operand), expression.list)
      case "Exists":
        return compileExists(expression.operand, this.#read(expression.operand))
      case "Matches":
        return this.#buildMatches(expression.operand, expression.pattern)
      case "Boolean": {
        const constant = fromBoolean(expression.value)
        return () => constant
      }
      default:
        // INVARIANT: a checked expression has no other condition; an unchecked one evaluates to Error.
        return () => ERROR
    }
  }

  #buildMatches(operand: Expression, source: string): Test {
    const read = readText(operand)
    const pattern = this.#patternOf(source)
    if (pattern === undefined || !["text", "null"].includes(kindOf(operand))) return () => ERROR
    const { test } = pattern
    return (frame) => {
      const text = read(frame)
      return text !== null && test(text) ? TRUE : FALSE
    }
  }
}
