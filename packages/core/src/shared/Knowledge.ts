/**
 * The position of a write in the order of commits: its number and its instant.
 *
 * A transaction draws the number after its last lock, so of two transactions that meet at a lock the later one has the
 * higher number.
 */
import { MICROSECONDS_MAX, Timestamp } from "./Timestamp.js"

/** The position of a write or of an evaluation. */
export interface Knowledge {
  readonly known: number
  readonly at: Timestamp
}

/** A bound on visible writes: a position, or an instant where the number is null. */
export interface VisibilityBound {
  readonly known: number | null
  readonly at: Timestamp
}

/** Whether a write is visible within a bound. */
export const isVisible = (written: Knowledge, bound: VisibilityBound): boolean =>
  bound.known === null ? written.at <= bound.at : written.known < bound.known

/** The bound of everything that was accepted by an instant. */
export const asOf = (at: Timestamp): VisibilityBound => ({ known: null, at })

/** The bound of everything. */
export const everything: VisibilityBound = asOf(Timestamp.make(MICROSECONDS_MAX))
