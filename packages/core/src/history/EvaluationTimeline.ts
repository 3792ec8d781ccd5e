/**
 * Finds the evaluation that decided a row's verdict at an instant, among the evaluations of its environment. SPEC
 * §3.21
 *
 * An evaluation of all rows counts for every row. A snapshot that evaluated only the rows that started in it counts
 * for those rows.
 */
import { type CommitPosition, isVisible, type VisibilityBound } from "../shared/CommitPosition.js"
import type { Timestamp } from "../shared/Timestamp.js"

/** An evaluation of all rows of an environment. It creates a snapshot only if a verdict changed. */
export interface Evaluation extends CommitPosition {
  /** The index of the snapshot in force after it. */
  readonly index: number
  /** True if time alone is the cause, so that only evidence accepted by its instant counts. */
  readonly is_decay?: boolean
}

/** An evaluation as the bound on its evidence. */
export interface BoundedEvaluation extends Evaluation, Pick<VisibilityBound, "until"> {}

/** The evaluation as the bound on its evidence. WHY: a decay may be evaluated long after its instant. */
export const boundOf = <E extends Evaluation>(evaluation: E): E & Pick<VisibilityBound, "until"> =>
  evaluation.is_decay === true ? { ...evaluation, until: evaluation.at } : evaluation

/** The evaluations of an environment over time. */
export interface EvaluationTimeline {
  /**
   * The evaluation that decided a row's verdict at an instant: the last one of all rows since the row started, or the
   * one in which it started.
   */
  readonly evaluatedAt: (started: Evaluation, instant: Timestamp) => BoundedEvaluation
  /** The last evaluation of all rows up to an instant; undefined before the first. */
  readonly lastAt: (instant: Timestamp) => BoundedEvaluation | undefined
  /** The first evaluation of all rows after a write that could see it; undefined if there is none. */
  readonly firstAfter: (written: CommitPosition) => BoundedEvaluation | undefined
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
export const make = (recorded: ReadonlyArray<Evaluation>): EvaluationTimeline => {
  const evaluations: ReadonlyArray<BoundedEvaluation> = recorded.map(boundOf)
  const lastAt = (instant: Timestamp) =>
    evaluations[prefix(evaluations, ({ at }) => at <= instant) - 1]
  return {
    lastAt,
    evaluatedAt: (started, instant) => {
      const last = lastAt(instant)
      return last !== undefined && last.index >= started.index && last.at >= started.at
        ? last
        : boundOf(started)
    },
    firstAfter: (written) => {
      let at = prefix(evaluations, ({ position }) => position <= written.position)
      // WHY a search: a decay does not see what was accepted after its instant.
      for (let found = evaluations[at]; found !== undefined; found = evaluations[++at])
        if (isVisible(written, found)) return found
      return undefined
    }
  }
}
