/**
 * The event log of a logical environment as a plain fold over its snapshots, each with the rows of its members.
 */

/** A row of a member with its annotation in the member's snapshot. */
export interface ModelRow {
  readonly member: string
  readonly name: string
  readonly fingerprint: string
  readonly verdict: "Compliant" | "NonCompliant" | "Unknown"
  readonly instances: number
  readonly annotation: { readonly type: string; readonly was: number; readonly now: number }
}

/** A snapshot: the index of each member's snapshot, and its running rows. */
export interface ModelSnapshot {
  readonly index: number
  readonly members: { readonly [member: string]: number }
  readonly running: ReadonlyArray<ModelRow>
}

/** An event. */
export interface ModelEvent extends Omit<ModelRow, "verdict" | "instances"> {
  readonly index: number
  readonly position: number
}

const STARTED = {
  Compliant: "started-compliant",
  NonCompliant: "started-non-compliant",
  Unknown: "started-unknown"
}

const sameRow = (left: ModelRow, right: ModelRow): boolean =>
  left.member === right.member && left.name === right.name && left.fingerprint === right.fingerprint

const rankOf = ({ type }: ModelRow["annotation"]): number =>
  type === "exited" ? 0 : type.startsWith("started-") ? 2 : 1

/** A text whose order is the order of the event in the log. */
const placeOf = ({ annotation, fingerprint, member, name }: ModelRow): ReadonlyArray<number> =>
  [String(rankOf(annotation)), name, fingerprint, member].flatMap((text) => [
    ...Array.from(text, (character) => (character.codePointAt(0) ?? 0) + 1),
    0
  ])

const inOrder = (left: ModelRow, right: ModelRow): number => {
  const [one, other] = [placeOf(left), placeOf(right)]
  const at = one.findIndex((value, index) => value !== other[index])
  return at === -1 ? 0 : (one[at] ?? 0) - (other[at] ?? 0)
}

/** Every event, oldest first. */
export const fold = (snapshots: ReadonlyArray<ModelSnapshot>): ReadonlyArray<ModelEvent> =>
  snapshots.flatMap(({ index, members, running }, at) => {
    const before = snapshots[at - 1] ?? { index: 0, members: {}, running: [] }
    const started = running
      .filter((row) => !before.running.some((old) => sameRow(old, row)))
      .map((row) => ({
        ...row,
        annotation: { type: STARTED[row.verdict], was: 0, now: row.instances }
      }))
    const exited = before.running
      .filter((old) => !running.some((row) => sameRow(old, row)))
      .map((row) => ({ ...row, annotation: { type: "exited", was: row.instances, now: 0 } }))
    const changed = running.filter(
      (row) =>
        before.running.some((old) => sameRow(old, row)) &&
        before.members[row.member] !== members[row.member] &&
        row.annotation.type !== "unchanged"
    )
    return [...started, ...exited, ...changed]
      .sort(inOrder)
      .map(({ annotation, fingerprint, member, name }, place) => ({
        index,
        position: place + 1,
        member,
        name,
        fingerprint,
        annotation
      }))
  })
