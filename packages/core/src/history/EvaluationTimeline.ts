/**
 * Finds the evaluation that decided a row's verdict at an instant, among the evaluations of its environment. SPEC
 * §3.21
 *
 * An evaluation of all rows counts for every row. A snapshot that evaluated only the rows that started in it counts
 * for those rows.
 */
import type { CommitPosition } from "../shared/CommitPosition.js"
import type { Timestamp } from "../shared/Timestamp.js"

/** An evaluation of all rows of an environment. It creates a snapshot only if a verdict changed. */
export interface Evaluation extends CommitPosition {
  /** The index of the snapshot in force after it. */
  readonly index: number
  /** True if time alone is the cause, so that only evidence accepted by its instant counts. */
  readonly is_decay?: boolean
}

/** The evaluations of an environment over time. */
export interface EvaluationTimeline {
  /**
   * The evaluation that decided a row's verdict at an instant: the last one of all rows since the row started, or the
   * one in which it started.
   */
  readonly evaluatedAt: (started: Evaluation, instant: Timestamp) => Evaluation
  /** The last evaluation of all rows up to an instant; undefined before the first. */
  readonly lastAt: (instant: Timestamp) => Evaluation | undefined
  /** The first evaluation of all rows after a commit position; undefined if there is none. */
  readonly firstAfter: (written: CommitPosition) => Evaluation | undefined
}

/** The number of evaluations that pass a test, which only a prefix of the list passes. */
const prefix = (
  evaluations: ReadonlyArray<Evaluation>,
  passes: (evaluation: Evaluation) => boolean
): number => {
  let [low, high] = [0, evaluations.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const evaluation = evaluations[middle]
    if (evaluation !== undefined && passes(evaluation)) low = middle + 1
    else high = middle
  }
  return low
}

/** Indexes the evaluations of all rows, oldest first. INVARIANT: positions, instants and indexes never decrease. */
export const make = (evaluations: ReadonlyArray<Evaluation>): EvaluationTimeline => ({
  lastAt: (instant) => evaluations[prefix(evaluations, ({ at }) => at <= instant) - 1],
  evaluatedAt: (started, instant) => {
    const last = evaluations[prefix(evaluations, ({ at }) => at <= instant) - 1]
    return last !== undefined && last.index >= started.index && last.at >= started.at
      ? last
      : started
  },
  firstAfter: ({ position }) =>
    evaluations[prefix(evaluations, (evaluation) => evaluation.position <= position)]
})
