/**
 * The position of a write in the order of commits: its number and its instant.
 *
 * A transaction draws the number after its last lock, so of two transactions that meet at a lock the later one has the
 * higher number.
 */
import { MICROSECONDS_MAX, Timestamp } from "./Timestamp.js"

/** The position of a write or of an evaluation. */
export interface CommitPosition {
  readonly position: number
  readonly at: Timestamp
}

/** A bound on visible writes: a position, or an instant where the number is null. */
export interface VisibilityBound {
  readonly position: number | null
  readonly at: Timestamp
  /** Only for a position: the last instant at which a visible write was accepted. */
  readonly until?: Timestamp
}

/** Whether a write is visible within a bound. */
export const isVisible = (written: CommitPosition, bound: VisibilityBound): boolean =>
  bound.position === null
    ? written.at <= bound.at
    : written.position < bound.position && (bound.until === undefined || written.at <= bound.until)

/** The bound of everything that was accepted by an instant. */
export const asOf = (at: Timestamp): VisibilityBound => ({ position: null, at })

/** The bound of everything. */
export const everything: VisibilityBound = asOf(Timestamp.make(MICROSECONDS_MAX))
