/** How much the searches of one question may look at, and what they remember of its conditions. */

import { type Expression, print } from "@attestry/core/PolicyExpressionTree"
import { type Evaluate, evaluating } from "./ConditionFormula.js"

/** The most assignments of all searches of one question. */
export const ASSIGNMENTS_MAX = 50_000
/** The number of assignments after which a search pauses. */
const ASSIGNMENTS_PER_PAUSE = 16

/** The assignments that are left; all searches of one question share it. */
export class Budget {
  #left: number
  readonly #keys = new Map<Expression, string>()
  readonly #evaluates = new Map<Expression, Evaluate>()

  constructor(left = ASSIGNMENTS_MAX) {
    this.#left = left
  }

  /** Takes some; false when none is left. */
  take(count = 1): boolean {
    const isLeft = this.#left > 0
    this.#left -= count
    return isLeft
  }

  /** Whether a search pauses after what was just taken. */
  get isPause(): boolean {
    return this.#left % ASSIGNMENTS_PER_PAUSE === 0
  }

  /** The text of a test. WHY remembered: every search of a question builds its formulas anew. */
  readonly keyOf = (node: Expression): string => {
    const known = this.#keys.get(node)
    if (known !== undefined) return known
    const key = print(node)
    this.#keys.set(node, key)
    return key
  }

  /** The evaluator of a test. */
  evaluateOf(node: Expression): Evaluate {
    const known = this.#evaluates.get(node)
    if (known !== undefined) return known
    const evaluate = evaluating(node)
    this.#evaluates.set(node, evaluate)
    return evaluate
  }
}
