/**
 * The rows of a logical environment's snapshot, read through its members. DECISION D4.16
 *
 * A member that moved on shows its own annotations; one that stayed shows what runs; the rows of one that
 * joined have started, and those of one that left have exited.
 */
import type { Verdict } from "../shared/Verdict.js"
import type { ListedRow } from "./Snapshot.js"

/** A row and the environment in which it runs. */
export interface PlacedRow extends ListedRow {
  readonly environment: string
}

/** A member, the snapshot of it that counted before, and the one that counts now, with its rows. */
export interface MemberChange {
  readonly environment: string
  readonly before: number | null
  readonly now: number | null
  /** Of the snapshot that counts now, or of the last one that counted. */
  readonly rows: ReadonlyArray<ListedRow>
}

const STARTED: { readonly [verdict in Verdict]: ListedRow["annotation"]["type"] } = {
  Compliant: "started-compliant",
  NonCompliant: "started-non-compliant",
  Unknown: "started-unknown"
}

const isRunning = ({ annotation }: ListedRow): boolean => annotation.type !== "exited"

const reannotate = (change: MemberChange, row: ListedRow): ListedRow => {
  const count = row.creationTimestamp.length
  if (change.now === null) return { ...row, annotation: { type: "exited", was: count, now: 0 } }
  if (change.before === null) {
    return { ...row, annotation: { type: STARTED[row.verdict], was: 0, now: count } }
  }
  return { ...row, annotation: { type: "unchanged", was: count, now: count } }
}

/** The rows of one member. */
const rowsOf = (change: MemberChange): ReadonlyArray<ListedRow> =>
  change.before !== null && change.now !== null && change.before !== change.now
    ? change.rows
    : change.rows.filter(isRunning).map((row) => reannotate(change, row))

/** The rows of all members, each with its environment; exited ones last. */
export const compose = (changes: ReadonlyArray<MemberChange>): ReadonlyArray<PlacedRow> => {
  const placed = changes.flatMap((change) =>
    rowsOf(change).map((row): PlacedRow => ({ ...row, environment: change.environment }))
  )
  return [...placed.filter(isRunning), ...placed.filter((row) => !isRunning(row))]
}
