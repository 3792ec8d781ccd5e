/**
 * Compiles conditions on the facts of an attestation into closures. SPEC §2.7.2
 *
 * As in `PolicyPredicate`, but every test of a fact that is missing is an Error, except `exists`: evidence that does
 * not say something does not say the contrary.
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as PurlPattern from "../../component/PurlPattern.js"
import type { JsonObject } from "../../shared/Evidence.js"
import { type Expression, type Literal, PURLS } from "../PolicyExpressionTree.js"
import * as PolicyPattern from "../PolicyPattern.js"
import {
  ERROR,
  FALSE,
  fromBoolean,
  holds,
  literalValue,
  type Ternary,
  TRUE
} from "../PolicyPredicate.js"
import { compare, equals, fromNumber, type Value } from "../PolicyValue.js"

/** The facts of an attestation; null for one without any. */
type Facts = JsonObject | null

/** Tests the facts of one attestation. */
export type FactTest = (facts: Facts) => Ternary

/** Reads a value; undefined for an Error. */
type Read = (facts: Facts) => Value | undefined

/** The longest text that a pattern is matched against, as for names. P-RE */
export const MATCHED_LENGTH_MAX = 1_024

/** The member of facts that names the lists which were cut. */
const TRUNCATED = "truncated"

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** What facts have at a path; undefined for nothing. */
const memberAt = (facts: Facts, path: ReadonlyArray<string>): unknown => {
  let found: unknown = facts
  for (const key of path) {
    if (!isObject(found) || !Object.hasOwn(found, key)) return undefined
    found = found[key]
  }
  return found ?? undefined
}

const scalarOf = (found: unknown): Value | undefined =>
  typeof found === "string" || typeof found === "boolean"
    ? found
    : typeof found === "number"
      ? fromNumber(found)
      : undefined

const readValue = (expression: Expression): Read => {
  switch (expression._tag) {
    case "Text":
    case "Number":
    case "Boolean":
    case "Null": {
      const value = literalValue(expression)
      return () => value
    }
    case "Fact": {
      const path = expression.path.split(".")
      return (facts) => scalarOf(memberAt(facts, path))
    }
    default: {
      const test = compile(expression)
      return (facts) => {
        const found = test(facts)
        return found === ERROR ? undefined : found === TRUE
      }
    }
  }
}

const compileCompare = (expression: Expression & { _tag: "Compare" }): FactTest => {
  const { operator } = expression
  const [left, right] = [readValue(expression.left), readValue(expression.right)]
  return (facts) => {
    const [one, other] = [left(facts), right(facts)]
    if (one === undefined || other === undefined) return ERROR
    if (operator === "==") return fromBoolean(equals(one, other))
    if (operator === "!=") return fromBoolean(!equals(one, other))
    const order = compare(one, other)
    return order === undefined ? ERROR : fromBoolean(holds(operator, order))
  }
}

const isAmong = (value: Value, values: Iterable<Value | undefined>): boolean => {
  if (value === null) return false
  for (const one of values) if (one !== undefined && equals(value, one)) return true
  return false
}

const compileIn = (operand: Expression, list: ReadonlyArray<Literal>): FactTest => {
  const read = readValue(operand)
  const values = list.map(literalValue)
  return (facts) => {
    const value = read(facts)
    return value === undefined ? ERROR : fromBoolean(isAmong(value, values))
  }
}

type Contains = Expression & { _tag: "Contains" }

/** Whether the members of a list have a value; undefined for an Error. */
type Find = (members: ReadonlyArray<unknown>, facts: Facts) => boolean | undefined

const findPurl = (operand: Expression): Find => {
  const parsed = operand._tag === "Text" ? PurlPattern.parse(operand.value) : undefined
  // INVARIANT: a checked expression has a valid pattern; an unchecked one evaluates to Error.
  if (parsed === undefined || Either.isLeft(parsed)) return () => undefined
  const fits = PurlPattern.compile(parsed.right)
  return (members) => members.some((member) => typeof member === "string" && fits(member))
}

const findValue = (operand: Expression): Find => {
  const read = readValue(operand)
  return (members, facts) => {
    const value = read(facts)
    return value === undefined ? undefined : isAmong(value, members.map(scalarOf))
  }
}

/** Whether a list of facts has a value. In a list that was cut, a value that is not found may have been. */
const compileContains = ({ list, operand }: Contains): FactTest => {
  const find = (list.path === PURLS ? findPurl : findValue)(operand)
  const path = list.path.split(".")
  return (facts) => {
    const members = memberAt(facts, path)
    const isFound = Array.isArray(members) ? find(members, facts) : undefined
    if (isFound !== false) return isFound === undefined ? ERROR : TRUE
    const cut = memberAt(facts, [TRUNCATED])
    return Array.isArray(cut) && cut.includes(list.path) ? ERROR : FALSE
  }
}

const compileExists = (operand: Expression): FactTest => {
  if (operand._tag === "Fact") {
    const path = operand.path.split(".")
    return (facts) => fromBoolean(memberAt(facts, path) !== undefined)
  }
  const read = readValue(operand)
  return (facts) => {
    const value = read(facts)
    return value === undefined ? ERROR : fromBoolean(value !== null)
  }
}

const compileMatches = ({ operand, pattern }: Expression & { _tag: "Matches" }): FactTest => {
  const read = readValue(operand)
  const compiled = Option.getOrUndefined(Either.getRight(PolicyPattern.compile(pattern)))
  // INVARIANT: a checked expression has a valid pattern; an unchecked one evaluates to Error.
  if (compiled === undefined) return () => ERROR
  return (facts) => {
    const text = read(facts)
    if (text === null) return FALSE
    return typeof text === "string" && text.length <= MATCHED_LENGTH_MAX
      ? fromBoolean(compiled.test(text))
      : ERROR
  }
}

/** False or True if one of the terms decides the chain, else Error if one is Error. */
const compileChain = (terms: ReadonlyArray<Expression>, deciding: Ternary): FactTest => {
  const tests = terms.map(compile)
  return (facts) => {
    let result: Ternary = deciding === TRUE ? FALSE : TRUE
    for (const test of tests) {
      const one = test(facts)
      if (one === deciding) return one
      if (one === ERROR) result = ERROR
    }
    return result
  }
}

/** The test of a condition on facts. */
export const compile = (expression: Expression): FactTest => {
  switch (expression._tag) {
    case "Or":
      return compileChain(expression.terms, TRUE)
    case "And":
      return compileChain(expression.terms, FALSE)
    case "Not": {
      const test = compile(expression.term)
      return (facts) => {
        const one = test(facts)
        return one === ERROR ? ERROR : one === TRUE ? FALSE : TRUE
      }
    }
    case "Compare":
      return compileCompare(expression)
    case "In":
      return compileIn(expression.operand, expression.list)
    case "Contains":
      return compileContains(expression)
    case "Exists":
      return compileExists(expression.operand)
    case "Matches":
      return compileMatches(expression)
    case "Boolean":
    case "Fact": {
      const read = readValue(expression)
      return (facts) => {
        const value = read(facts)
        return typeof value === "boolean" ? fromBoolean(value) : ERROR
      }
    }
    default:
      return () => ERROR
  }
}
