/** The verdicts of one day as bands of a sparkline and as a sentence. */
import type { Environment } from "../shared/Contract.js"
import * as TimeText from "../shared/TimeText.js"
import { fromStatus, type Verdict, WORDS } from "../shared/Verdict.js"

/** One band; position and width are fractions of the day. */
export interface DayBand {
  readonly verdict: Verdict
  readonly start: number
  readonly width: number
  readonly ms: number
}

const DAY_MS = 86_400_000

/** The minimum width of a failure, so that a short one stays visible. */
const FAILURE_WIDTH_MIN = 1 / 120

/** The bands of the last 24 hours. */
export const bandsOf = (
  day: NonNullable<Environment["day"]>,
  nowMs: number
): ReadonlyArray<DayBand> => {
  const begin = nowMs - DAY_MS
  return day.flatMap(({ from, verdict: word }, place): ReadonlyArray<DayBand> => {
    const end = Math.min(nowMs, (day[place + 1]?.from ?? nowMs / 1_000) * 1_000)
    const start = Math.max(begin, from * 1_000)
    const ms = Math.max(0, end - start)
    const verdict = fromStatus(word)
    const least = verdict === "non-compliant" ? FAILURE_WIDTH_MIN : 0
    const width = Math.min(1, Math.max(least, ms / DAY_MS))
    return width === 0
      ? []
      : [{ verdict, start: Math.min((start - begin) / DAY_MS, 1 - width), width, ms }]
  })
}

/** How long each verdict lasted: `Last 24 hours: not compliant for 2 h 10 min, compliant for 21 h`. */
export const sentenceOf = (bands: ReadonlyArray<DayBand>): string => {
  const total = (verdict: Verdict) =>
    bands.filter((band) => band.verdict === verdict).reduce((sum, { ms }) => sum + ms, 0)
  const has = (verdict: Verdict) => bands.some((band) => band.verdict === verdict)
  const parts = (["non-compliant", "unknown", "compliant"] as const)
    .filter(has)
    .map((verdict) => `${WORDS[verdict]} for ${TimeText.duration(total(verdict))}`)
  return parts.length === 0
    ? "No snapshot in the last 24 hours"
    : `Last 24 hours: ${parts.join(", ")}`
}
