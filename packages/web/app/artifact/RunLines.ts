/** Where an artifact ran, as one line for each environment over a common span of time. */
import type { ArtifactRun } from "../shared/Contract.js"
import { fromStatus, type Verdict } from "../shared/Verdict.js"

/** One run on its line; places are from 0 to 1. */
export interface RunSegment {
  readonly from: number
  readonly to: number
  readonly isRunning: boolean
  readonly verdict: Verdict
  readonly run: ArtifactRun
}

/** The runs in one environment, oldest first. */
export interface RunLine {
  readonly environment: string
  readonly segments: ReadonlyArray<RunSegment>
  /** The newest run, which the line is described by. */
  readonly newest: ArtifactRun
}

/** A short run stays visible: no segment is narrower than this share of the line. */
export const WIDTH_MIN = 0.006

const endOf = ({ ended_at }: ArtifactRun, nowSeconds: number): number =>
  Math.max(ended_at ?? nowSeconds, 0)

/** The lines, those where it runs first, then by the newest start. */
export const linesOf = (
  runs: ReadonlyArray<ArtifactRun>,
  nowSeconds: number
): ReadonlyArray<RunLine> => {
  if (runs.length === 0) return []
  const start = Math.min(...runs.map(({ started_at }) => started_at))
  const end = Math.max(...runs.map((run) => endOf(run, nowSeconds)), start)
  const span = end - start
  const place = (at: number): number => (span === 0 ? 0 : (at - start) / span)
  const byEnvironment = new Map<string, Array<ArtifactRun>>()
  for (const run of runs)
    byEnvironment.set(run.environment, [...(byEnvironment.get(run.environment) ?? []), run])
  const lines = [...byEnvironment].flatMap(([environment, own]) => {
    const ordered = [...own].sort((a, b) => a.started_at - b.started_at)
    const newest = ordered.at(-1)
    if (newest === undefined) return []
    const segments = ordered.map((run) => {
      const from = Math.min(place(run.started_at), 1 - WIDTH_MIN)
      const to = span === 0 ? 1 : Math.max(place(endOf(run, nowSeconds)), from + WIDTH_MIN)
      return {
        from,
        to: Math.min(to, 1),
        isRunning: run.ended_at === null,
        verdict: fromStatus(run.verdict),
        run
      }
    })
    return [{ environment, segments, newest }]
  })
  return lines.sort(
    (a, b) =>
      Number(b.newest.ended_at === null) - Number(a.newest.ended_at === null) ||
      b.newest.started_at - a.newest.started_at
  )
}

/** The snapshots of a run: `#21–#30`, or `from #10` while it runs. */
export const snapshotsText = ({ first_index, last_index }: ArtifactRun): string => {
  if (last_index === null) return `from #${first_index}`
  return first_index === last_index ? `#${first_index}` : `#${first_index}–#${last_index}`
}
