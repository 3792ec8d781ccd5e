/**
 * Finitely many cells for all values of a term: what every test on it answers, and values that show it.
 *
 * Comparisons are covered exactly. An answer of several patterns for which no value was found is a virtual cell:
 * possible as far as we know, so nothing is claimed against it.
 */

import type { Paused } from "@attestry/core/Paused"
import type { ComparisonOperator, Expression } from "@attestry/core/PolicyExpressionTree"
import * as PolicyPattern from "@attestry/core/PolicyPattern"
import {
  ERROR,
  FALSE,
  fromBoolean,
  holds,
  type Ternary,
  TRUE
} from "@attestry/core/PolicyPredicate"
import { compareTexts } from "@attestry/core/PolicyValue"
import * as Either from "effect/Either"
import {
  type ConditionTest,
  type Evaluate,
  FLOW_NAME,
  scopeOf,
  type Term,
  type TermValue,
  tagKey,
  termOf
} from "./ConditionFormula.js"
import type { Budget } from "./SearchBudget.js"
import * as TermLiterals from "./TermLiterals.js"
import * as TextRegions from "./TextRegions.js"

/** A set of values of a term that all tests on it answer alike. */
export interface Cell {
  /** Values of the cell, the plainest first; none in a virtual cell. */
  readonly values: ReadonlyArray<TermValue>
  /** The answers, in the order of the tests. */
  readonly answers: ReadonlyArray<Ternary>
  /** Whether `values` are all values of the cell. */
  readonly isExact: boolean
}

/** The question for cells: a term, the tests that read it alone, and what is known about it. */
export interface CellQuestion {
  readonly term: Term
  readonly budget: Budget
  readonly tests: ReadonlyArray<ConditionTest>
  /** Whether some flow knows the artifact. */
  readonly withFlow: boolean
  /** The only value that the term may have. */
  readonly fixed?: TermValue | undefined
  /** Values that the term may not have. */
  readonly avoided?: ReadonlySet<string> | undefined
  /** More values to try, such as those of other terms. */
  readonly others?: ReadonlyArray<string> | undefined
}

/** The most patterns of one term whose combinations are counted. */
export const PATTERNS_MAX = 8
/** The most values that a cell keeps. */
const VALUES_MAX = 8
/** The most regions of texts of one term that are looked at. */
export const REGIONS_MAX = 4_000
/** So many answers of tests cost as much as one assignment. */
const ANSWERS_PER_ASSIGNMENT = 100
/** The number of tests that are compiled together. */
const TESTS_PER_PAUSE = 16
/** The number of answers, roughly, of a part in which cells are made. */
const ANSWERS_PER_PAUSE = 2_000

/** After how many values or regions the making of cells pauses. */
const pauseOf = (tests: ReadonlyArray<ConditionTest>): number =>
  Math.max(1, Math.floor(ANSWERS_PER_PAUSE / Math.max(1, tests.length)))

/** Whether the term belongs to a flow, so that it is missing without one. */
export const isOfFlow = (term: Term): boolean => term === FLOW_NAME || tagKey(term) !== undefined

const FRESH: ReadonlyMap<Term, ReadonlyArray<string>> = new Map([
  [FLOW_NAME, ["some-flow", "another-flow", "third-flow"]],
  ["artifact.name", ["some-artifact"]],
  ["artifact.fingerprint", ["0".repeat(64), "f".repeat(64), ""]]
])

/** Texts that no policy is expected to name. */
const freshOf = (term: Term): ReadonlyArray<string> =>
  FRESH.get(term) ?? ["some-value", "other-value"]

const MIRRORED: { readonly [O in ComparisonOperator]: ComparisonOperator } = {
  "==": "==",
  "!=": "!=",
  "<": ">",
  ">": "<",
  "<=": ">=",
  ">=": "<="
}

const unordered = (operator: ComparisonOperator): Ternary =>
  operator === "==" ? FALSE : operator === "!=" ? TRUE : ERROR

/** The answer of a comparison for every text of a region. */
const compareRegion = (
  node: Expression & { readonly _tag: "Compare" },
  term: Term,
  { literals, region }: TextRegions.RegionOf
): Ternary => {
  const isLeft = termOf(node.left) === term
  const other = isLeft ? node.right : node.left
  const operator = isLeft ? node.operator : MIRRORED[node.operator]
  if (termOf(other) === term) return fromBoolean(holds(operator, 0))
  if (other._tag === "Text") {
    if (operator === "==" || operator === "!=") return unordered(operator)
    // INVARIANT: a text that is ordered against is among the ordered ones.
    const at = literals.orderOf.get(other.value) ?? -1
    return fromBoolean(holds(operator, region.gap <= at ? -1 : 1))
  }
  if (other._tag !== "Number" || region.number === undefined) return unordered(operator)
  const units = TermLiterals.unitsOf(other.digits, literals.scale)
  return units === undefined
    ? unordered(operator)
    : fromBoolean(holds(operator, TextRegions.orderOf(region.number, units)))
}

/** The answer of a test for every text of a region. */
const answerRegion = (node: Expression, term: Term, of: TextRegions.RegionOf): Ternary => {
  switch (node._tag) {
    case "Exists":
      return TRUE
    case "Matches":
      return fromBoolean(of.region.matched.has(node.pattern))
    case "Compare":
      return compareRegion(node, term, of)
    case "In":
      return fromBoolean(
        node.list.some((item) => {
          const { number } = of.region
          if (item._tag !== "Number" || number === undefined) return false
          const units = TermLiterals.unitsOf(item.digits, of.literals.scale)
          return units !== undefined && TextRegions.orderOf(number, units) === 0
        })
      )
    default:
      return ERROR
  }
}

interface Growing {
  readonly values: Array<TermValue>
  readonly answers: ReadonlyArray<Ternary>
  isExact: boolean
}

/** The values that are tried for a term; null is a missing one. */
const valuesOf = (
  { avoided, fixed, others = [], term, withFlow }: CellQuestion,
  literals: TermLiterals.TermLiterals
): ReadonlyArray<TermValue> => {
  if (!withFlow && isOfFlow(term)) return [null]
  if (fixed !== undefined) return [fixed]
  const texts = TermLiterals.candidates(literals, [...freshOf(term), ...others])
  const allowed = avoided === undefined ? texts : texts.filter((text) => !avoided.has(text))
  return tagKey(term) === undefined ? allowed : [null, ...allowed]
}

const patternTests = (
  patterns: ReadonlyArray<string>
): ReadonlyArray<readonly [string, (text: string) => boolean]> =>
  patterns.flatMap((source) =>
    Either.match(PolicyPattern.compile(source), {
      onLeft: () => [],
      onRight: ({ test }) => [[source, test] as const]
    })
  )

/** The cells of the values that were found, by their answers. */
function* real(
  question: CellQuestion,
  values: ReadonlyArray<TermValue>
): Paused<ReadonlyMap<string, Growing>> {
  const { budget, others = [], term, tests, withFlow } = question
  const evaluates: Array<Evaluate> = []
  for (const { node } of tests) {
    evaluates.push(budget.evaluateOf(node))
    if (evaluates.length % TESTS_PER_PAUSE === 0) yield
  }
  const cells = new Map<string, Growing>()
  const pause = pauseOf(tests)
  for (const [at, value] of values.entries()) {
    if (at % pause === 0) yield
    const scope = scopeOf(new Map([[term, value]]), withFlow)
    const found = evaluates.map((evaluate) => evaluate(scope))
    // WHY: a test between two terms asks whether one is missing, so a missing value has a cell of its own.
    const key = `${value === null && others.length > 0 ? "-" : ""}${found.join("")}`
    const cell = cells.get(key)
    if (cell === undefined) cells.set(key, { values: [value], answers: found, isExact: true })
    else if (cell.values.length < VALUES_MAX) cell.values.push(value)
  }
  return cells
}

/** The cells of a term; undefined when its patterns, or the regions of its texts, are too many to count. */
export function* cells(question: CellQuestion): Paused<ReadonlyArray<Cell> | undefined> {
  const { budget, fixed, term, tests, withFlow } = question
  const nodes = tests.map(({ node }) => node)
  const literals = TermLiterals.read(nodes, term)
  yield
  if (literals.patterns.length > PATTERNS_MAX) return undefined
  const values = valuesOf(question, literals)
  const isFixed = fixed !== undefined || (!withFlow && isOfFlow(term))
  const regions = isFixed ? 0 : TextRegions.countOf(literals)
  const answers = (values.length + regions) * nodes.length
  if (regions > REGIONS_MAX) return undefined
  if (!budget.take(Math.floor(answers / ANSWERS_PER_ASSIGNMENT))) return undefined
  const found = yield* real(question, values)
  if (isFixed) return [...found.values()]
  const virtual = yield* imagined(question, literals, found)
  return [...found.values(), ...virtual]
}

/** The virtual cells of a term; cells of values that regions share are no longer exact. */
function* imagined(
  { term, tests }: CellQuestion,
  literals: TermLiterals.TermLiterals,
  found: ReadonlyMap<string, Growing>
): Paused<ReadonlyArray<Cell>> {
  const virtual = new Map<string, Cell>()
  const pause = pauseOf(tests)
  let at = 0
  for (const region of TextRegions.regions(literals, patternTests(literals.patterns))) {
    if (at++ % pause === 0) yield
    const answers = tests.map(({ node }) => answerRegion(node, term, { literals, region }))
    const key = answers.join("")
    const cell = found.get(key)
    if (cell !== undefined) cell.isExact = false
    else virtual.set(key, { values: [], answers, isExact: false })
  }
  return [...virtual.values()]
}

/** The order of two texts as one of three words. */
export const orderOf = (left: string, right: string): -1 | 0 | 1 => {
  const order = compareTexts(left, right)
  return order < 0 ? -1 : order > 0 ? 1 : 0
}
