/**
 * Exposures as a plain fold over events: an event `started-…` begins one and `exited` ends it. The verdict of a row is
 * read from every snapshot while it runs.
 */

/** A snapshot: who started, who exited, and the verdicts of what runs. */
export interface ModelSnapshot {
  readonly index: number
  readonly at: number
  readonly events: ReadonlyArray<{ readonly type: string; readonly row: string }>
  readonly verdicts: ReadonlyMap<string, string>
}

/** One exposure. */
export interface ModelExposure {
  readonly row: string
  readonly firstIndex: number
  readonly lastIndex: number | null
  readonly from: number
  readonly to: number | null
  readonly startedVerdict: string
  readonly verdict: string
  /** In microseconds, up to the given instant. */
  readonly nonCompliant: number
}

/** The exposures of one row in one environment, oldest first, as of an instant. */
const exposuresOf = (snapshots: ReadonlyArray<ModelSnapshot>, row: string, now: number) => {
  const has = ({ events }: ModelSnapshot, kind: string) =>
    events.some((event) => event.row === row && event.type.startsWith(kind))
  const starts = snapshots.flatMap((snapshot, at) => (has(snapshot, "started-") ? [at] : []))
  return starts.map((first): ModelExposure => {
    const exit = snapshots.findIndex((snapshot, at) => at > first && has(snapshot, "exited"))
    const ran = snapshots.slice(first, exit === -1 ? undefined : exit)
    const verdicts = ran.map((snapshot) => snapshot.verdicts.get(row) ?? "absent")
    const instants = [...ran.map(({ at }) => at), snapshots[exit]?.at ?? now]
    return {
      row,
      firstIndex: snapshots[first]?.index ?? 0,
      lastIndex: exit === -1 ? null : (snapshots[exit]?.index ?? 0) - 1,
      from: snapshots[first]?.at ?? 0,
      to: snapshots[exit]?.at ?? null,
      startedVerdict: verdicts[0] ?? "absent",
      verdict: verdicts.at(-1) ?? "absent",
      nonCompliant: verdicts.reduce(
        (sum, verdict, at) =>
          verdict === "NonCompliant" ? sum + (instants[at + 1] ?? 0) - (instants[at] ?? 0) : sum,
        0
      )
    }
  })
}

/** Every exposure of these rows in one environment. */
export const exposures = (
  snapshots: ReadonlyArray<ModelSnapshot>,
  rows: ReadonlyArray<string>,
  now: number
): ReadonlyArray<ModelExposure> => rows.flatMap((row) => exposuresOf(snapshots, row, now))

/** How many rows run from an instant on. */
export interface ModelCount {
  readonly at: number
  readonly count: number
}

/** The integral of counts, oldest first, over a window; the last one lasts. */
export const integral = (
  counts: ReadonlyArray<ModelCount>,
  { from, to }: { readonly from: number; readonly to: number }
): number =>
  counts.reduce((sum, { at, count }, index) => {
    const end = Math.min(counts[index + 1]?.at ?? to, to)
    return sum + count * Math.max(0, end - Math.max(at, from))
  }, 0)
