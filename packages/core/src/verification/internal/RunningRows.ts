/** The running rows of a snapshot, in the form of drafts. Pure. */
import type * as Snapshot from "../../snapshot/Snapshot.js"

/** The rows that still run in a snapshot, as drafts. */
export const runningOf = ({ rows }: Snapshot.Snapshot): ReadonlyArray<Snapshot.SnapshotRow> =>
  rows.flatMap(({ annotation, ...row }) => (annotation.type === "exited" ? [] : [row]))
