/** The rows of a snapshot that waivers turn. Pure. */
import * as RowDecision from "../RowDecision.js"
import type { SnapshotRow } from "../Snapshot.js"

/** The decisions of a row. */
type Decided = Pick<SnapshotRow, "decisions">

/** Whether a waiver turns a result of a row. */
export const isWaived = ({ decisions }: Decided): boolean =>
  decisions.some(({ contexts }) => contexts?.some(({ waiver }) => waiver !== undefined) ?? false)

/** How many rows each waiver turns. */
export const countsOf = (rows: ReadonlyArray<Decided>): ReadonlyMap<number, number> => {
  const counts = new Map<number, number>()
  for (const { decisions } of rows)
    for (const waiver of new Set(RowDecision.waivedOf(decisions).map(({ waiver }) => waiver)))
      counts.set(waiver, (counts.get(waiver) ?? 0) + 1)
  return counts
}
