/** How often something happened: counts by day, week or month, and percentiles. Pure. */

const DAY = 86_400

/** The lengths of bars, in days, and their names. */
const STEPS = [
  [1, "day"],
  [7, "week"],
  [30, "30 days"]
] as const

/** More bars than this are not told apart on a phone. */
const BARS_MAX = 62

/** A time window in epoch seconds. */
export interface Span {
  readonly start_ts: number
  readonly end_ts: number
}

export interface Bar {
  /** When it begins, in epoch seconds. */
  readonly from: number
  readonly count: number
}

export interface Frequency {
  readonly unit: (typeof STEPS)[number][1]
  readonly bars: ReadonlyArray<Bar>
  readonly count: number
  /** How often it happened: `3.5 a week`. */
  readonly rate: string
}

const stepFor = ({ start_ts, end_ts }: Span) =>
  STEPS.find(([days]) => (end_ts - start_ts) / (days * DAY) <= BARS_MAX) ?? STEPS[2]

/** A rate with at most one decimal place: `3.5 a week`. */
export const rateText = (count: number, { start_ts, end_ts }: Span): string => {
  const weeks = Math.max(1, (end_ts - start_ts) / (7 * DAY))
  const rate = count / weeks
  return `${rate >= 10 ? Math.round(rate) : Math.round(rate * 10) / 10} a week`
}

/** Counts by days of UTC, or by longer steps that end with the last day. */
export const frequencyOf = (timestamps: ReadonlyArray<number>, span: Span): Frequency => {
  const [days, unit] = stepFor(span)
  const length = days * DAY
  const end = Math.floor(span.end_ts / DAY) * DAY + DAY
  const steps = Math.max(1, Math.min(BARS_MAX, Math.ceil((end - span.start_ts) / length)))
  const first = end - steps * length
  const counts = Array.from({ length: steps }, () => 0)
  for (const at of timestamps) {
    const place = Math.min(steps - 1, Math.max(0, Math.floor((at - first) / length)))
    counts[place] = (counts[place] ?? 0) + 1
  }
  return {
    unit,
    count: timestamps.length,
    rate: rateText(timestamps.length, span),
    bars: counts.map((count, place) => ({ from: first + place * length, count }))
  }
}

/** The smallest value that a share of all values does not exceed; undefined without values. */
export const percentile = (values: ReadonlyArray<number>, share: number): number | undefined => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]
}

/** The first day of a bar, in UTC. */
export const dayText = (seconds: number): string =>
  new Date(seconds * 1_000).toISOString().slice(0, 10)

/** A frequency in words: `14 builds, 3.5 a week, at most 2 in a day`. */
export const sentenceOf = (
  { bars, count, unit, rate }: Frequency,
  [one, many]: readonly [one: string, many: string]
): string => {
  const most = Math.max(0, ...bars.map((bar) => bar.count))
  const step = unit === "30 days" ? unit : `a ${unit}`
  return `${count} ${count === 1 ? one : many}, ${rate}, at most ${most} in ${step}`
}
