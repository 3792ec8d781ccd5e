/**
 * Predicates of expressions as closures over three values: True, False and Error. SPEC §2.7.2. DECISIONS.md,
 * "Evaluation is total and explains itself"
 *
 * None throws. The compiler decides which predicates share a memo slot.
 */

import { kindOf } from "./internal/PolicyExpressionTypes.js"
import type { ComparisonOperator, Expression, Field, Literal } from "./PolicyExpressionTree.js"
import type { Facts, FlowView } from "./PolicyFacts.js"
import { compare, decimal, equals, orderAgainst, type Value } from "./PolicyValue.js"

/** False. INVARIANT: no value is 0, which means "not evaluated" in a memo. */
export const FALSE = 1
/** True. */
export const TRUE = 2
/** Error: the requirement applies. */
export const ERROR = 3
/** The value of a predicate. */
export type Ternary = typeof FALSE | typeof TRUE | typeof ERROR

/** The fields of a flow that expressions read. */
export type FlowScope = Pick<FlowView, "flow_name" | "tags">

/** The memo of a row: values of predicates and results of evidence; 0 is an empty slot. */
export type Memo = Array<0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9>

/** The inputs of a test, and the memo. */
export interface Frame {
  readonly artifact: Facts["artifact"]
  readonly flow: FlowScope | null
  /** First the values of the whole row, then those of each flow. */
  readonly memo: Memo
  /** The offset of this flow's slots in the memo. */
  readonly base: number
}

/** Evaluates a condition on one frame. */
export type Test = (frame: Frame) => Ternary

/** A compiled condition and its memo slot. */
export interface Predicate {
  readonly test: Test
  /** The memo slot; -1 without one. */
  readonly slot: number
  /** Whether the value is the same for all flows of the row. */
  readonly isOfRow: boolean
}

/** The memoised value, or else the value of the test, which is memoised. */
export const evaluate = (predicate: Predicate, frame: Frame): Ternary => {
  const { isOfRow, slot, test } = predicate
  if (slot < 0) return test(frame)
  const at = isOfRow ? slot : frame.base + slot
  const known = frame.memo[at]
  if (known === FALSE || known === TRUE || known === ERROR) return known
  const found = test(frame)
  frame.memo[at] = found
  return found
}

/** The value of a compiled operand; undefined for an Error. */
export type Read = (frame: Frame) => Value | undefined

/** True or False. */
export const fromBoolean = (holds: boolean): Ternary => (holds ? TRUE : FALSE)

type ReadText = (frame: Frame) => string | null

const readField = (field: Field): ReadText => {
  switch (field) {
    case "flow.name":
      return ({ flow }) => (flow === null ? null : flow.flow_name)
    case "artifact.name":
      return ({ artifact }) => artifact.name
    case "artifact.fingerprint":
      return ({ artifact }) => artifact.fingerprint
    default:
      return () => null
  }
}

/** The text of a field, a tag or a literal; null when it is missing, and for other expressions. */
export const readText = (expression: Expression): ReadText => {
  switch (expression._tag) {
    case "Text": {
      const { value } = expression
      return () => value
    }
    case "Tag": {
      const { key } = expression
      return ({ flow }) => {
        // WHY no `hasOwn`: no inherited property is a text, and the check costs more.
        const value: unknown = flow === null ? null : flow.tags[key]
        return typeof value === "string" ? value : null
      }
    }
    case "Field":
      return readField(expression.field)
    default:
      return () => null
  }
}

/** The value of a literal. */
export const literalValue = (literal: Literal): Value =>
  literal._tag === "Null"
    ? null
    : literal._tag === "Number"
      ? (decimal(literal.digits) ?? null)
      : literal.value

/** Whether a comparison holds for an order. */
export const holds = (operator: ComparisonOperator, order: number): boolean => {
  switch (operator) {
    case "<":
      return order < 0
    case ">":
      return order > 0
    case "<=":
      return order <= 0
    case ">=":
      return order >= 0
    case "==":
      return order === 0
    case "!=":
      return order !== 0
  }
}

/** A comparison of a field or a tag with a literal text, the most common test. */
export const compileTextEquality = ({
  left,
  operator,
  right
}: Expression & { _tag: "Compare" }): Test | undefined => {
  const [one, other] = left._tag === "Text" ? [right, left] : [left, right]
  if (other._tag !== "Text" || kindOf(one) !== "text") return undefined
  const read = readText(one)
  const { value } = other
  if (operator === "==") return (frame) => (read(frame) === value ? TRUE : FALSE)
  return operator === "!=" ? (frame) => (read(frame) === value ? FALSE : TRUE) : undefined
}

const MIRRORED: { readonly [O in ComparisonOperator]: ComparisonOperator } = {
  "==": "==",
  "!=": "!=",
  "<": ">",
  ">": "<",
  "<=": ">=",
  ">=": "<="
}

/** A comparison of a field or a tag with a literal number. */
export const compileNumberComparison = ({
  left,
  operator,
  right
}: Expression & { _tag: "Compare" }): Test | undefined => {
  if (left._tag === "Number")
    return right._tag === "Number"
      ? undefined
      : compileNumberComparison({
          _tag: "Compare",
          operator: MIRRORED[operator],
          left: right,
          right: left
        })
  const number = right._tag === "Number" ? decimal(right.digits) : undefined
  if (number === undefined || kindOf(left) !== "text") return undefined
  const read = readText(left)
  const order = orderAgainst(number)
  const unordered = operator === "==" ? FALSE : operator === "!=" ? TRUE : ERROR
  const less = fromBoolean(holds(operator, -1))
  const same = fromBoolean(holds(operator, 0))
  const more = fromBoolean(holds(operator, 1))
  return (frame) => {
    const text = read(frame)
    const found = text === null ? undefined : order(text)
    return found === undefined ? unordered : found < 0 ? less : found > 0 ? more : same
  }
}

/** A comparison of any two operands. */
export const compileComparison =
  (operator: ComparisonOperator, left: Read, right: Read): Test =>
  (frame) => {
    const one = left(frame)
    const other = right(frame)
    if (one === undefined || other === undefined) return ERROR
    if (operator === "==") return fromBoolean(equals(one, other))
    if (operator === "!=") return fromBoolean(!equals(one, other))
    const order = compare(one, other)
    return order === undefined ? ERROR : fromBoolean(holds(operator, order))
  }

/** Membership in a list; null is in no list. */
export const compileIn = (operand: Read, list: ReadonlyArray<Literal>): Test => {
  const values = list.map(literalValue)
  return (frame) => {
    const value = operand(frame)
    if (value === undefined) return ERROR
    if (value === null) return FALSE
    for (const item of values) if (item === value || equals(value, item)) return TRUE
    return FALSE
  }
}

/** Whether a value exists; a whole object exists when its root does. */
export const compileExists = (operand: Expression, read: Read): Test => {
  if (operand._tag === "Field") {
    if (operand.field === "artifact") return () => TRUE
    if (kindOf(operand) === "object") return ({ flow }) => fromBoolean(flow !== null)
  }
  return (frame) => {
    const value = read(frame)
    return value === undefined ? ERROR : fromBoolean(value !== null)
  }
}

/** False if a term is False, else Error if one is Error, else True. */
export const compileAnd =
  (terms: ReadonlyArray<Predicate>): Test =>
  (frame) => {
    let result: Ternary = TRUE
    for (const term of terms) {
      const one = evaluate(term, frame)
      if (one === FALSE) return FALSE
      if (one === ERROR) result = ERROR
    }
    return result
  }

/** True if a term is True, else Error if one is Error, else False. */
export const compileOr =
  (terms: ReadonlyArray<Predicate>): Test =>
  (frame) => {
    let result: Ternary = FALSE
    for (const term of terms) {
      const one = evaluate(term, frame)
      if (one === TRUE) return TRUE
      if (one === ERROR) result = ERROR
    }
    return result
  }

/** Swaps True and False, keeps Error. */
export const compileNot =
  (term: Predicate): Test =>
  (frame) => {
    const one = evaluate(term, frame)
    return one === ERROR ? ERROR : one === TRUE ? FALSE : TRUE
  }
