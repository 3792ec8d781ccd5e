/**
 * Which numbers of the journal are settled: no transaction that runs can still commit an entry with one of them.
 *
 * A look at the database tells the last number that was drawn, and then the transactions that hold numbers. A number at
 * or below one that was seen is settled when every transaction that was seen with it has ended. What was known of one
 * run of the database is forgotten when a look finds another. After a crash PostgreSQL may draw a number again.
 */

/** What a look found: the last number that was drawn, and the transactions that held numbers afterwards. */
export interface NumberLook {
  readonly last: number
  readonly holders: ReadonlyArray<string>
  /** The run of the database that was seen; another one after a crash. */
  readonly run: string
}

/** What is remembered of looks: those whose transactions have not all ended, oldest first. */
export interface SettledNumbers {
  readonly settled: number
  readonly looks: ReadonlyArray<NumberLook>
  /** The run of the database that this is about. */
  readonly run: string
}

/** Before the first look. */
export const NONE: SettledNumbers = { settled: 0, looks: [], run: "" }

/** So many looks are remembered; after that the newest one replaces the one before it. */
const LOOKS_MAX = 256

/** What is known after a look, which must have begun after the one before it had ended. */
export const look = (before: SettledNumbers, found: NumberLook): SettledNumbers => {
  const { run } = found
  const known = before.run === run ? before : NONE
  const running = new Set(found.holders)
  const looks = [...known.looks.slice(0, LOOKS_MAX - 1), found].map(({ last, holders }) => ({
    last,
    holders: holders.filter((holder) => running.has(holder)),
    run
  }))
  const settled = looks.reduce(
    (most, { last, holders }) => (holders.length === 0 ? Math.max(most, last) : most),
    known.settled
  )
  return { settled, looks: looks.filter(({ last }) => last > settled), run }
}
