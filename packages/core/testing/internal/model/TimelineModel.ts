/**
 * A timeline as plain overlaps: every column looks at every snapshot of the history.
 *
 * A snapshot is in force from its instant to the next one's; the newest up to what is known. Nothing is carried from
 * column to column, so an error of carrying cannot be here too.
 */

/** A snapshot. */
export interface ModelSnapshot {
  readonly index: number
  readonly timestamp: number
  readonly verdict: "Compliant" | "NonCompliant" | "Unknown"
}

/** Columns of equal width. */
export interface ModelWindow {
  readonly from: number
  readonly step: number
  readonly columns: number
  readonly until: number
}

/** A column. */
export interface ModelColumn {
  readonly snapshots: number
  readonly firstIndex: number
  readonly times: { readonly [verdict in ModelSnapshot["verdict"]]: number }
}

/** The microseconds that two times have in common. */
const overlap = (
  [from, to]: readonly [number, number],
  [begin, end]: readonly [number, number]
): number => Math.max(0, Math.min(to, end) - Math.max(from, begin))

/** The times in which snapshots are in force, each with its snapshot. */
const inForce = (history: ReadonlyArray<ModelSnapshot>, { until }: ModelWindow) =>
  history.map((snapshot, at) => ({
    snapshot,
    time: [snapshot.timestamp, history[at + 1]?.timestamp ?? until] as const
  }))

/** The columns of a window. */
export const columnsOf = (
  history: ReadonlyArray<ModelSnapshot>,
  window: ModelWindow
): ReadonlyArray<ModelColumn> =>
  Array.from({ length: window.columns }, (_, column) => {
    const start = window.from + column * window.step
    const time = [start, start + window.step] as const
    const known = [start, Math.min(time[1], window.until)] as const
    const times = { Compliant: 0, NonCompliant: 0, Unknown: 0 }
    for (const each of inForce(history, window))
      times[each.snapshot.verdict] += overlap(each.time, known)
    const begun = history.filter(({ timestamp }) => timestamp >= time[0] && timestamp < time[1])
    const touching = inForce(history, window).filter(
      (each) => overlap(each.time, known) > 0 || begun.includes(each.snapshot)
    )
    return { snapshots: begun.length, firstIndex: touching[0]?.snapshot.index ?? 0, times }
  })

/** The verdict that is in force at an instant; undefined where nothing is. */
export const verdictAt = (
  history: ReadonlyArray<ModelSnapshot>,
  instant: number
): ModelSnapshot["verdict"] | undefined =>
  history.filter(({ timestamp }) => timestamp <= instant).at(-1)?.verdict
