/**
 * The place of a write in the order in which judgings could see it: its knowledge number and its instant. B-359
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
}

/** Whether a write was visible to a judging: by their numbers, and by their instants where one has none. */
export const isVisible = (written: Knowledge, judging: Knowledge): boolean =>
  written.known !== null && judging.known !== null
    ? written.known < judging.known
    : written.at <= judging.at

/** Everything that was accepted by an instant. */
export const asOf = (at: Timestamp): Knowledge => ({ known: null, at })

/** Everything that is known. */
export const everything: Knowledge = asOf(Timestamp.make(MICROSECONDS_MAX))
