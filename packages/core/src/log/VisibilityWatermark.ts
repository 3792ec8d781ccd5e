/**
 * The watermark below which every number of the journal is visible: no running transaction can still commit an entry
 * with such a number.
 *
 * A poll of the database gives the last number that was drawn, and then the transactions that hold numbers. A number at
 * or below the last one of a poll is visible when every transaction of that poll has ended. A poll of another run of
 * the database discards earlier polls, because PostgreSQL may draw a number again after a crash.
 */

/** One poll: the last number that was drawn, and the transactions that held numbers afterwards. */
export interface SequencePoll {
  readonly last: number
  readonly holders: ReadonlyArray<string>
  /** The run of the database; another one after a crash. */
  readonly run: string
}

/** The watermark, and the polls whose transactions have not all ended, oldest first. */
export interface VisibilityWatermark {
  readonly visible: number
  readonly polls: ReadonlyArray<SequencePoll>
  /** The run of the database that this is about. */
  readonly run: string
}

/** Before the first poll. */
export const NONE: VisibilityWatermark = { visible: 0, polls: [], run: "" }

/** The number of polls that are kept; after that the newest one replaces the one before it. */
const POLLS_MAX = 256

/** The watermark after a poll, which must have begun after the one before it had ended. */
export const advance = (before: VisibilityWatermark, found: SequencePoll): VisibilityWatermark => {
  const { run } = found
  const known = before.run === run ? before : NONE
  const running = new Set(found.holders)
  const polls = [...known.polls.slice(0, POLLS_MAX - 1), found].map(({ last, holders }) => ({
    last,
    holders: holders.filter((holder) => running.has(holder)),
    run
  }))
  const visible = polls.reduce(
    (most, { last, holders }) => (holders.length === 0 ? Math.max(most, last) : most),
    known.visible
  )
  return { visible, polls: polls.filter(({ last }) => last > visible), run }
}
