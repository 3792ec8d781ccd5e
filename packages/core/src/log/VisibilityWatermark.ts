/**
 * The watermark below which every journal entry is visible: no running transaction can still commit an entry with a
 * lower sequence number.
 *
 * A poll of the database reads the last assigned sequence number, and then the transactions that hold numbers. A
 * number up to the last one of a poll is visible once every transaction of that poll has ended. A poll of a restarted
 * database discards earlier polls, because PostgreSQL may assign a number again after a crash.
 */

/** One poll: the last assigned sequence number, and the transactions that held numbers after it was read. */
export interface SequencePoll {
  readonly last: number
  readonly holders: ReadonlyArray<string>
  /** Identifies the run of the database; a restart changes it. */
  readonly run: string
}

/** The watermark, and the polls with running transactions, oldest first. */
export interface VisibilityWatermark {
  readonly visible: number
  readonly polls: ReadonlyArray<SequencePoll>
  /** The run of the database that the polls belong to. */
  readonly run: string
}

/** The state before the first poll. */
export const NONE: VisibilityWatermark = { visible: 0, polls: [], run: "" }

/** At most this many polls are kept; a further poll replaces the newest one. */
const POLLS_MAX = 256

/** The watermark after a poll, which must have started after the previous one had ended. */
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
