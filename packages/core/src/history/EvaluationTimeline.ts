/**
 * The evaluations of an environment → the one that decided a row's verdict at an instant. SPEC §3.21
 *
 * An evaluation of all rows counts for every row; a snapshot that evaluated only rows that started counts for those
 * rows.
 */
import type { CommitPosition } from "../shared/CommitPosition.js"
import type { Timestamp } from "../shared/Timestamp.js"

/** An evaluation of all rows of an environment. It appends a snapshot only where a verdict changed. */
export interface Evaluation extends CommitPosition {
  /** The index of the snapshot in force after it. */
  readonly index: number
}

/** The evaluations of an environment over time. */
export interface EvaluationTimeline {
  /** The evaluation that decided a row's verdict at an instant: the last of all rows since its start, or its start. */
  readonly evaluatedAt: (started: Evaluation, instant: Timestamp) => Evaluation
  /** The last evaluation of all rows up to an instant; undefined before the first. */
  readonly lastAt: (instant: Timestamp) => Evaluation | undefined
  /** The first evaluation of all rows after a commit position; undefined after the last. */
  readonly firstAfter: (written: CommitPosition) => Evaluation | undefined
}

/** The number of evaluations that pass a test; they are at the beginning of the list. */
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

/** Indexes the evaluations of all rows, oldest first. INVARIANT: positions, instants and indexes never fall. */
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
