/**
 * Searches values for the terms of conditions such that every condition has one of the values asked for.
 *
 * The answer is a confirmed solution, the proof that there is none, or unknown: a solution that only virtual cells
 * allow, or one that the caller does not confirm, is neither. DECISIONS.md, "A claim about all facts is proven"
 */
import type { Paused } from "@attestry/core/Paused"
import type { Expression } from "@attestry/core/PolicyExpressionTree"
import {
  ERROR,
  FALSE,
  fromBoolean,
  holds,
  type Ternary,
  TRUE
} from "@attestry/core/PolicyPredicate"
import * as Cells from "./ConditionCells.js"
import * as Formula from "./ConditionFormula.js"
import type { Budget } from "./SearchBudget.js"

/** The assignments that are left. */
export { Budget } from "./SearchBudget.js"

/** A condition, and the values that it may have; no condition is a constant. */
export interface Constraint {
  readonly expression: Expression
  readonly allowed: ReadonlyArray<Ternary>
}

/** Values of terms, as the search found them. */
export type Assignment = ReadonlyMap<Formula.Term, Formula.TermValue>

/** The result of a search. */
export type Searched<A> =
  | { readonly _tag: "Found"; readonly value: A }
  | { readonly _tag: "None" }
  | { readonly _tag: "Unknown" }

/** The context of a search. */
export interface Situation {
  readonly withFlow: boolean
  readonly fixed?: Assignment
  readonly avoidedFlowNames?: ReadonlySet<string>
  readonly budget: Budget
  /** The cost of playing one solution, in assignments; 1 by default. */
  readonly playCost?: number
}

/** What the cells of one test cost in assignments. */
const CELLS_COST = 20
/** The most solutions that are tried before the search gives up. */
const SOLUTIONS_MAX = 64
/** The most values that are combined to confirm one solution. */
const COMBINATIONS_MAX = 48

interface PairTest {
  readonly index: number
  readonly test: Formula.ConditionTest
}

/** A term or a pair of terms that the search assigns. */
interface Variable {
  readonly term: Formula.Term
  readonly cells: ReadonlyArray<Cells.Cell>
  readonly tests: ReadonlyArray<number>
}

interface Space {
  readonly variables: ReadonlyArray<Variable>
  readonly pairs: ReadonlyArray<PairTest>
  readonly answers: Array<Formula.Open>
  readonly wanted: ReadonlyArray<{
    readonly formula: Formula.Formula
    readonly allowed: ReadonlyArray<Ternary>
  }>
}

const related = (
  tests: ReadonlyArray<Formula.ConditionTest>,
  term: Formula.Term
): ReadonlyArray<string> => {
  const partners = new Set(
    tests.flatMap(({ terms }) => (terms.length > 1 && terms.includes(term) ? terms : []))
  )
  partners.delete(term)
  const nodes = tests.filter(({ terms }) => terms.some((one) => partners.has(one)))
  return [...partners].flatMap((partner) => [
    ...nodes.flatMap(({ node }) => texts(node)),
    partner === Formula.FLOW_NAME ? "some-flow" : "some-value"
  ])
}

const texts = (node: Expression): ReadonlyArray<string> =>
  node._tag === "Compare"
    ? [node.left, node.right].flatMap((part) =>
        part._tag === "Text" ? [part.value] : part._tag === "Number" ? [part.digits] : []
      )
    : node._tag === "In"
      ? node.list.flatMap((part) =>
          part._tag === "Text" ? [part.value] : part._tag === "Number" ? [part.digits] : []
        )
      : []

function* variableOf(
  tests: ReadonlyArray<Formula.ConditionTest>,
  term: Formula.Term,
  { avoidedFlowNames, budget, fixed, withFlow }: Situation
): Paused<Variable | undefined> {
  const own = tests.flatMap((test, index) =>
    test.terms.length === 1 && test.terms[0] === term ? [{ test, index }] : []
  )
  const cells = yield* Cells.cells({
    term,
    budget,
    tests: own.map(({ test }) => test),
    withFlow,
    fixed: fixed?.get(term),
    avoided: term === Formula.FLOW_NAME ? avoidedFlowNames : undefined,
    others: related(tests, term)
  })
  return cells && { term, cells, tests: own.map(({ index }) => index) }
}

/** The space of a search; undefined when a term has too many patterns. */
function* spaceOf(
  constraints: ReadonlyArray<Constraint>,
  situation: Situation
): Paused<Space | undefined> {
  const builder = new Formula.FormulaBuilder(situation.budget.keyOf)
  const wanted: Array<Space["wanted"][number]> = []
  for (const { allowed, expression } of constraints) {
    wanted.push({ formula: builder.add(expression), allowed })
    yield
  }
  const { tests } = builder
  const terms = [...new Set(tests.flatMap((test) => test.terms))]
  const variables: Array<Variable> = []
  for (const term of terms) {
    // WHY: the values of a term are asked of each of its tests, which takes longer than many assignments.
    if (!situation.budget.take(tests.length * CELLS_COST)) return undefined
    const variable = yield* variableOf(tests, term, situation)
    yield
    if (variable === undefined) return undefined
    variables.push(variable)
  }
  const pairs = tests.flatMap((test, index) => (test.terms.length > 1 ? [{ test, index }] : []))
  const answers = tests.map(
    ({ node, terms: read }): Formula.Open =>
      read.length === 0 ? Formula.answerIn(node, Formula.scopeOf(new Map(), situation.withFlow)) : 0
  )
  return { variables, pairs, answers, wanted }
}

/** Whether the answers so far leave every condition one of its values, and whether they decide all. */
const stateOf = ({ answers, wanted }: Space): "refuted" | "decided" | "open" => {
  let state: "decided" | "open" = "decided"
  for (const { allowed, formula } of wanted) {
    const found = Formula.value(formula, answers)
    if (found === 0) state = "open"
    else if (!allowed.includes(found)) return "refuted"
  }
  return state
}

/** The answers that a test between two terms can have, given what is known about both. */
const pairAnswers = (
  { node }: Formula.ConditionTest,
  left: Cells.Cell,
  right: Cells.Cell
): ReadonlyArray<Ternary> => {
  if (node._tag !== "Compare") return [TRUE, FALSE, ERROR]
  const { operator } = node
  const isEquality = operator === "==" || operator === "!="
  const missing = [left, right].filter(({ values }) => values[0] === null).length
  if (missing > 0)
    return isEquality ? [fromBoolean((missing === 2) === (operator === "=="))] : [ERROR]
  const one = left.values[0]
  const other = right.values[0]
  const isKnown = left.isExact && right.isExact && left.values.length + right.values.length === 2
  return isKnown && typeof one === "string" && typeof other === "string"
    ? [fromBoolean(holds(operator, Cells.orderOf(one, other)))]
    : [TRUE, FALSE]
}

/** The first combinations of values of cells, up to a limit. */
const combinations = (
  chosen: ReadonlyArray<readonly [Formula.Term, Cells.Cell]>
): ReadonlyArray<Assignment> => {
  let found: ReadonlyArray<ReadonlyArray<readonly [Formula.Term, Formula.TermValue]>> = [[]]
  for (const [term, { values }] of chosen)
    found = found
      .flatMap((before) =>
        values.map(
          (value): ReadonlyArray<readonly [Formula.Term, Formula.TermValue]> => [
            ...before,
            [term, value]
          ]
        )
      )
      .slice(0, COMBINATIONS_MAX)
  return found.map((entries) => new Map(entries))
}

/** Plays a solution: what it shows, or undefined when it shows nothing. */
export type Confirm<A> = (assignment: Assignment) => Paused<A | undefined>

/** Plays a solution in one go, and pauses. */
export const atOnce = <A>(play: (assignment: Assignment) => A | undefined): Confirm<A> =>
  function* (assignment) {
    yield
    return play(assignment)
  }

/** One search. */
class Search<A> {
  #isUnknown = false
  #solutions = 0
  #found: { readonly value: A } | undefined
  readonly #chosen: Array<readonly [Formula.Term, Cells.Cell]> = []

  constructor(
    private readonly space: Space,
    private readonly situation: Situation,
    private readonly confirm: Confirm<A>
  ) {}

  get result(): Searched<A> {
    if (this.#found !== undefined) return { _tag: "Found", value: this.#found.value }
    return { _tag: this.#isUnknown ? "Unknown" : "None" }
  }

  get #isOver(): boolean {
    return this.#found !== undefined || this.#solutions > SOLUTIONS_MAX
  }

  /** Takes one assignment; beyond the budget the search is over. */
  #take(): boolean {
    if (this.situation.budget.take()) return true
    this.#isUnknown = true
    this.#solutions = SOLUTIONS_MAX + 1
    return false
  }

  /** Assigns the variables from this position on. */
  *run(position: number): Paused<void> {
    if (!this.#take() || this.#isOver) return
    if (this.situation.budget.isPause) yield
    const state = stateOf(this.space)
    if (state === "refuted") return
    const variable = this.space.variables[position]
    if (state === "decided") yield* this.#solve()
    else if (variable === undefined) yield* this.#pairs(0)
    else yield* this.#assign(variable, position)
  }

  *#assign({ cells, term, tests }: Variable, position: number): Paused<void> {
    const { answers } = this.space
    for (const cell of cells) {
      for (const [at, test] of tests.entries()) answers[test] = cell.answers[at] ?? 0
      this.#chosen.push([term, cell])
      yield* this.run(position + 1)
      this.#chosen.pop()
      if (this.#isOver) break
    }
    for (const test of tests) answers[test] = 0
  }

  #cellOf(term: Formula.Term | undefined): Cells.Cell {
    const found = this.#chosen.find(([one]) => one === term)?.[1]
    return found ?? { values: [], answers: [], isExact: false }
  }

  /** Assigns the tests between two terms from this position on. */
  *#pairs(position: number): Paused<void> {
    const pair = this.space.pairs[position]
    const state = stateOf(this.space)
    if (state === "refuted") return
    if (state === "decided" || pair === undefined) {
      yield* this.#solve()
      return
    }
    if (!this.#take()) return
    if (this.situation.budget.isPause) yield
    const [left, right] = pair.test.terms
    for (const answer of pairAnswers(pair.test, this.#cellOf(left), this.#cellOf(right))) {
      this.space.answers[pair.index] = answer
      yield* this.#pairs(position + 1)
      if (this.#isOver) break
    }
    this.space.answers[pair.index] = 0
  }

  *#solve(): Paused<void> {
    const assignments = combinations(this.#chosen)
    if (assignments.length > 0) this.#solutions++
    for (const assignment of assignments) {
      if (!this.situation.budget.take(this.situation.playCost)) break
      const value = yield* this.confirm(assignment)
      if (value !== undefined) {
        this.#found = { value }
        return
      }
    }
    // WHY: a solution that nothing confirms may be one all the same.
    this.#isUnknown = true
  }
}

/** Searches, and pauses now and then; `confirm` plays a solution. */
export function* searching<A>(
  constraints: ReadonlyArray<Constraint>,
  situation: Situation,
  confirm: Confirm<A>
): Paused<Searched<A>> {
  const space = yield* spaceOf(constraints, situation)
  if (space === undefined) return { _tag: "Unknown" }
  const running = new Search(space, situation, confirm)
  yield* running.run(0)
  return running.result
}

/** Whether no values satisfy the constraints, with or without a flow. */
export function* isImpossible(
  constraints: ReadonlyArray<Constraint>,
  budget: Budget,
  situations: ReadonlyArray<boolean> = [true, false]
): Paused<boolean> {
  for (const withFlow of situations) {
    const confirm = atOnce(() => true)
    const found = yield* searching(constraints, { withFlow, budget }, confirm)
    if (found._tag !== "None") return false
  }
  return true
}
