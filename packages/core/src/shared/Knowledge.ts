/**
 * The place of a write in the order in which judgings could see it: its knowledge number and its instant.
 *
 * A transaction draws the number after its last lock, so of two transactions that meet at a lock the later one has the
 * higher number. The numbers of what was written before there were numbers are 0 and below, so that every numbered
 * judging is after them.
 */
import { MICROSECONDS_MAX, Timestamp } from "./Timestamp.js"

/** What was written, or what judged: its number and its instant. */
export interface Knowledge {
  /** Null for what was written without a number: by a process of an earlier release. */
  readonly known: number | null
  readonly at: Timestamp
  /** Of a write without a number: that of the last write before it on the same trail, and of the first after it. */
  readonly previous?: number
  readonly next?: number
}

/** What numbers say about whether a write was visible to a judging; undefined where they say nothing. */
const byNumbers = (
  { known, next, previous }: Knowledge,
  judging: Knowledge
): boolean | undefined => {
  if (judging.known === null) return undefined
  if (known !== null) return known < judging.known
  // Of a trail, what is visible is everything up to some write.
  if (next !== undefined && next < judging.known) return true
  return previous !== undefined && previous >= judging.known ? false : undefined
}

/** Whether a write was visible to a judging: by numbers, and by their instants where those say nothing. */
export const isVisible = (written: Knowledge, judging: Knowledge): boolean =>
  byNumbers(written, judging) ?? written.at <= judging.at

/** So many microseconds from its instant a write may have been committed: no statement takes longer. */
export const IN_FLIGHT = 60_000_000

/**
 * Whether it cannot be told if a judging saw a write: numbers say nothing, and their instants, which were read before
 * locks were granted, are too close to tell.
 */
export const isInFlight = (written: Knowledge, judging: Knowledge): boolean =>
  byNumbers(written, judging) === undefined && Math.abs(written.at - judging.at) < IN_FLIGHT

/** Everything that was accepted by an instant. */
export const asOf = (at: Timestamp): Knowledge => ({ known: null, at })

/** Everything that is known. */
export const everything: Knowledge = asOf(Timestamp.make(MICROSECONDS_MAX))
