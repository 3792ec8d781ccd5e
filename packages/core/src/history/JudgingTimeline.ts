/**
 * The judgings of an environment → the one by which a row stands at an instant. SPEC §3.21
 *
 * A judging of all rows replaces what every row was judged by; a snapshot that judged only rows that started replaces
 * it for those alone.
 */
import type { Knowledge } from "../shared/Knowledge.js"
import type { Timestamp } from "../shared/Timestamp.js"

/** A judging of all rows of an environment; quiet where it appended no snapshot. */
export interface Judging extends Knowledge {
  /** The index of the snapshot in force after it. */
  readonly index: number
}

/** The judgings of an environment over time. */
export interface JudgingTimeline {
  /** The judging by which a row stands at an instant: the last one of all rows since its start, or its start. */
  readonly judgedAt: (started: Judging, instant: Timestamp) => Judging
  /** The last judging of all rows up to an instant; none when there is none. */
  readonly lastAt: (instant: Timestamp) => Judging | undefined
  /** The first judging of all rows that is after a place in the order of knowledge; none when there is none. */
  readonly firstAfter: (written: Knowledge) => Judging | undefined
}

/** The number of judgings at the beginning of a list that pass; those that pass stand first. */
const prefix = (
  judgings: ReadonlyArray<Judging>,
  passes: (judging: Judging) => boolean
): number => {
  let [low, high] = [0, judgings.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const judging = judgings[middle]
    if (judging !== undefined && passes(judging)) low = middle + 1
    else high = middle
  }
  return low
}

/** Indexes the judgings of all rows, oldest first. INVARIANT: neither numbers nor instants nor indexes fall. */
export const make = (judgings: ReadonlyArray<Judging>): JudgingTimeline => ({
  lastAt: (instant) => judgings[prefix(judgings, ({ at }) => at <= instant) - 1],
  judgedAt: (started, instant) => {
    const last = judgings[prefix(judgings, ({ at }) => at <= instant) - 1]
    return last !== undefined && last.index >= started.index && last.at >= started.at
      ? last
      : started
  },
  firstAfter: ({ known }) => judgings[prefix(judgings, (judging) => judging.known <= known)]
})
