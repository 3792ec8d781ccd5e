/** The rows of a snapshot that run, in the form of their changes. Pure. */
import type * as Snapshot from "../../snapshot/Snapshot.js"

/** A row of a snapshot that continues to run, in the form of a draft. */
export const runningOf = ({ rows }: Snapshot.Snapshot): ReadonlyArray<Snapshot.SnapshotRow> =>
  rows.flatMap(({ annotation, ...row }) => (annotation.type === "exited" ? [] : [row]))
