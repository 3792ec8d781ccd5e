/** Where artifacts ran, as one line per environment over a shared time axis. */
import type { Exposure } from "../shared/Contract.js"
import type { Window } from "../shared/TimeWindow.js"
import { fromState, type Verdict } from "../shared/Verdict.js"

/** One exposure on its line; positions are from 0 to 1. */
export interface ExposureSegment {
  readonly from: number
  readonly to: number
  readonly isRunning: boolean
  readonly verdict: Verdict
  readonly exposure: Exposure
}

export interface ExposureLine {
  readonly environment: string
  readonly segments: ReadonlyArray<ExposureSegment>
  /** The newest exposure; the line shows its details. */
  readonly newest: Exposure
  /** The number of artifacts on the line. */
  readonly artifacts: number
}

/** The minimum width of a segment as a share of the line, so that a short exposure stays visible. */
export const WIDTH_MIN = 0.006

const endOf = ({ to }: Exposure, nowSeconds: number): number => Math.max(to ?? nowSeconds, 0)

/** A window that is open at both ends. */
export const EVER: Window = { from: undefined, to: undefined }

/** The time axis that lines share, in epoch seconds. */
export interface ExposureSpan {
  readonly from: number
  readonly to: number
  /** Whether it ends now, because something still runs. */
  readonly isNow: boolean
}

/** The span from the first start to the last end (or to now if something runs), clipped to a window. */
export const spanOf = (
  exposures: ReadonlyArray<Exposure>,
  nowSeconds: number,
  window: Window = EVER
): ExposureSpan => {
  const first = Math.min(...exposures.map(({ from }) => from))
  const last = Math.max(...exposures.map((exposure) => endOf(exposure, nowSeconds)), first)
  const from = Math.max(first, window.from ?? first)
  const to = Math.max(from, Math.min(last, window.to ?? last))
  return { from, to, isNow: to === last && exposures.some((exposure) => exposure.to === null) }
}

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

/** The lines of a window: environments where something still runs first, then by newest start. */
export const linesOf = (
  exposures: ReadonlyArray<Exposure>,
  nowSeconds: number,
  window: Window = EVER
): ReadonlyArray<ExposureLine> => {
  if (exposures.length === 0) return []
  const span = spanOf(exposures, nowSeconds, window)
  const length = span.to - span.from
  const placeOf = (at: number): number => Math.min(1, Math.max(0, (at - span.from) / length))
  const place = (exposure: Exposure): readonly [number, number] =>
    length === 0 ? [0, 1] : [placeOf(exposure.from), placeOf(endOf(exposure, nowSeconds))]
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

/** The snapshots of an exposure: `#21–#30`, or `from #10` while it is still running. */
export const snapshotsText = ({ first_index, last_index }: Exposure): string => {
  if (last_index === null) return `from #${first_index}`
  return first_index === last_index ? `#${first_index}` : `#${first_index}–#${last_index}`
}
