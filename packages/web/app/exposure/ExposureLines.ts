/** Where artifacts ran, as one line for each environment over a common span of time. */
import type { Exposure } from "../shared/Contract.js"
import { fromState, type Verdict } from "../shared/Verdict.js"

/** One exposure on its line; places are from 0 to 1. */
export interface ExposureSegment {
  readonly from: number
  readonly to: number
  readonly isRunning: boolean
  readonly verdict: Verdict
  readonly exposure: Exposure
}

/** The exposures in one environment, oldest first. */
export interface ExposureLine {
  readonly environment: string
  readonly segments: ReadonlyArray<ExposureSegment>
  /** The newest exposure, which the line is described by. */
  readonly newest: Exposure
  /** How many artifacts the line shows. */
  readonly artifacts: number
}

/** A short exposure stays visible: no segment is narrower than this share of the line. */
export const WIDTH_MIN = 0.006

const endOf = ({ to }: Exposure, nowSeconds: number): number => Math.max(to ?? nowSeconds, 0)

const segmentsOf = (
  exposures: ReadonlyArray<Exposure>,
  place: (exposure: Exposure) => readonly [from: number, to: number]
): ReadonlyArray<ExposureSegment> =>
  exposures.map((exposure) => {
    const [begins, ends] = place(exposure)
    const from = Math.min(begins, 1 - WIDTH_MIN)
    return {
      from,
      to: Math.min(Math.max(ends, from + WIDTH_MIN), 1),
      isRunning: exposure.to === null,
      verdict: fromState(exposure.compliant.at_end),
      exposure
    }
  })

/** The lines, those where something runs first, then by the newest start. */
export const linesOf = (
  exposures: ReadonlyArray<Exposure>,
  nowSeconds: number
): ReadonlyArray<ExposureLine> => {
  if (exposures.length === 0) return []
  const start = Math.min(...exposures.map(({ from }) => from))
  const end = Math.max(...exposures.map((exposure) => endOf(exposure, nowSeconds)), start)
  const span = end - start
  const place = (exposure: Exposure): readonly [number, number] =>
    span === 0
      ? [0, 1]
      : [(exposure.from - start) / span, (endOf(exposure, nowSeconds) - start) / span]
  const byEnvironment = new Map<string, Array<Exposure>>()
  for (const exposure of exposures)
    byEnvironment.set(exposure.environment, [
      ...(byEnvironment.get(exposure.environment) ?? []),
      exposure
    ])
  const lines = [...byEnvironment].flatMap(([environment, own]) => {
    const ordered = [...own].sort((a, b) => a.from - b.from)
    const newest = ordered.at(-1)
    if (newest === undefined) return []
    const artifacts = new Set(own.map(({ fingerprint }) => fingerprint)).size
    return [{ environment, segments: segmentsOf(ordered, place), newest, artifacts }]
  })
  const runs = ({ segments }: ExposureLine): number =>
    Number(segments.some(({ isRunning }) => isRunning))
  return lines.sort((a, b) => runs(b) - runs(a) || b.newest.from - a.newest.from)
}

/** The snapshots of an exposure: `#21–#30`, or `from #10` while it lasts. */
export const snapshotsText = ({ first_index, last_index }: Exposure): string => {
  if (last_index === null) return `from #${first_index}`
  return first_index === last_index ? `#${first_index}` : `#${first_index}–#${last_index}`
}
