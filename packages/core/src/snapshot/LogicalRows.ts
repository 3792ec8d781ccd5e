/**
 * The rows of a logical environment's snapshot, from the snapshots of its members. DECISIONS.md, "Logical environments
 * refer to member snapshots"
 *
 * A member with a new snapshot has its own annotations; one without has `unchanged` rows; the rows of a member
 * that joined have started, and those of one that left have exited.
 */
import { classOf, type EventClass } from "../environment/EnvironmentEvent.js"
import type { Verdict } from "../shared/Verdict.js"
import type { PartlyHidden } from "./FlowMask.js"
import type { ListedRow } from "./Snapshot.js"
import { isEvent } from "./SnapshotAnnotation.js"

/** A row and the environment in which it runs. */
export interface PlacedRow extends ListedRow, PartlyHidden {
  readonly environment: string
}

/** A member with the previous and the current index of its snapshot, and its rows. */
export interface MemberChange {
  readonly environment: string
  readonly before: number | null
  readonly now: number | null
  /** The rows of the current snapshot, or of the last one that counted. */
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

/** By code points, as databases compare; code units order astral characters differently. */
const byCodePoint = (left: string, right: string): number => {
  const [one, other] = [Array.from(left), Array.from(right)]
  for (const [at, character] of one.entries()) {
    const difference = (character.codePointAt(0) ?? 0) - (other[at]?.codePointAt(0) ?? -1)
    if (difference !== 0) return difference
  }
  return one.length - other.length
}

const CLASS_RANK: { readonly [kind in EventClass]: number } = { exited: 0, changed: 1, started: 2 }

const rankOf = ({ annotation: { type } }: ListedRow): number =>
  isEvent(type) ? CLASS_RANK[classOf(type)] : 0

/** The changed rows in the order of events: by class, name and fingerprint, and equal ones by member. */
export const events = (changes: ReadonlyArray<MemberChange>): ReadonlyArray<PlacedRow> =>
  compose(changes)
    .filter(({ annotation }) => isEvent(annotation.type))
    .sort(
      (left, right) =>
        rankOf(left) - rankOf(right) ||
        byCodePoint(left.name, right.name) ||
        byCodePoint(left.fingerprint, right.fingerprint) ||
        byCodePoint(left.environment, right.environment)
    )
