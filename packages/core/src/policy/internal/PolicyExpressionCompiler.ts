/**
 * Trees into closures. E1
 *
 * Equal conditions of everything one compiler was made for are asked once per flow, and those that do
 * not look at the flow once per row. No code is generated from text.
 */
import type { PolicyPattern } from "../PolicyPattern.js"
import {
  type Answer,
  answer,
  compileAnd,
  compileComparison,
  compileExists,
  compileIn,
  compileNot,
  compileOr,
  compileTextEquality,
  ERROR,
  FALSE,
  type Frame,
  literalValue,
  type Read,
  readText,
  type Test,
  TRUE
} from "./PolicyExpressionTests.js"
import { children, type Expression, print } from "./PolicyExpressionTree.js"
import { kindOf } from "./PolicyExpressionTypes.js"

const looksAtFlow = (expression: Expression): boolean =>
  expression._tag === "Tag" ||
  (expression._tag === "Field" && expression.field.startsWith("flow")) ||
  children(expression).some(looksAtFlow)

/** Counts how often each condition is asked; one inside a repeated condition is asked with it. */
const countUses = (expressions: ReadonlyArray<Expression>): ReadonlyMap<string, number> => {
  const uses = new Map<string, number>()
  const visit = (expression: Expression): void => {
    if (kindOf(expression) !== "boolean") return
    const key = print(expression)
    const before = uses.get(key) ?? 0
    uses.set(key, before + 1)
    if (before === 0) children(expression).forEach(visit)
  }
  expressions.forEach(visit)
  return uses
}

/** The answer that is remembered, or else the test's, which is remembered from then on. */
const recall = (memo: Array<Answer | 0>, slot: number, test: Test, frame: Frame): Answer => {
  const known = memo[slot]
  if (known !== undefined && known !== 0) return known
  const found = test(frame)
  memo[slot] = found
  return found
}

/** Compiles expressions that will be asked about the same rows. */
export class ExpressionCompiler {
  /** How many answers a frame remembers for its flow. */
  slotsOfFlow = 0
  /** How many answers a frame remembers for its row. */
  slotsOfRow = 0
  readonly #tests = new Map<string, Test>()
  readonly #uses: ReadonlyMap<string, number>
  readonly #patternOf: (source: string) => PolicyPattern | undefined

  constructor(
    expressions: ReadonlyArray<Expression>,
    patternOf: (source: string) => PolicyPattern | undefined
  ) {
    this.#uses = countUses(expressions)
    this.#patternOf = patternOf
  }

  /** The test of a condition; equal conditions are one test. */
  compile(expression: Expression): Test {
    const key = print(expression)
    const known = this.#tests.get(key)
    if (known !== undefined) return known
    const test = this.#remember(expression, key, this.#build(expression))
    this.#tests.set(key, test)
    return test
  }

  #remember(expression: Expression, key: string, test: Test): Test {
    const isRepeated = (this.#uses.get(key) ?? 0) > 1
    if (!looksAtFlow(expression)) {
      if (!isRepeated && expression._tag !== "Matches") return test
      const slot = this.slotsOfRow++
      return (frame) => recall(frame.ofRow, slot, test, frame)
    }
    if (!isRepeated) return test
    const slot = this.slotsOfFlow++
    return (frame) => recall(frame.ofFlow, slot, test, frame)
  }

  #read(expression: Expression): Read {
    switch (kindOf(expression)) {
      case "text":
        return readText(expression)
      case "boolean": {
        if (expression._tag === "Boolean") return () => expression.value
        const test = this.compile(expression)
        return (frame) => {
          const result = test(frame)
          return result === ERROR ? undefined : result === TRUE
        }
      }
      case "number": {
        const value = expression._tag === "Number" ? literalValue(expression) : null
        return () => value
      }
      default:
        return () => null
    }
  }

  #build(expression: Expression): Test {
    switch (expression._tag) {
      case "Or":
        return compileOr(expression.terms.map((term) => this.compile(term)))
      case "And":
        return compileAnd(expression.terms.map((term) => this.compile(term)))
      case "Not":
        return compileNot(this.compile(expression.term))
      case "Compare":
        return (
          compileTextEquality(expression) ??
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
        const constant = answer(expression.value)
        return () => constant
      }
      default:
        // INVARIANT: a checked expression has no other condition; one made by hand never holds.
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
