/** How long to wait before a service that is not ours is asked again, by what its answer says. Pure. */

/** An answer, as far as it speaks of waiting. */
export interface RetryAnswer {
  readonly status: number
  readonly header: (name: string) => string | null
}

/** A time to wait. */
export interface RetryTime {
  readonly millis: number
  /** Whether the service said it. */
  readonly isTold: boolean
}

const PAUSE_MS = 250
const PAUSE_MS_MAX = 5_000

const wholeNumber = (text: string | null): number | undefined =>
  text !== null && /^\d{1,12}$/.test(text.trim()) ? Number(text) : undefined

/** Milliseconds from `Retry-After`: seconds, or a date. */
const retryAfter = (text: string | null, nowMs: number): number | undefined => {
  const seconds = wholeNumber(text)
  if (seconds !== undefined) return seconds * 1_000
  const at = text === null ? Number.NaN : Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs)
}

/** Milliseconds until a limit is reset, whose time is told in seconds since the epoch. */
const resetTime = ({ header }: RetryAnswer, nowMs: number): number | undefined => {
  const at = wholeNumber(header("x-ratelimit-reset")) ?? wholeNumber(header("ratelimit-reset"))
  return at === undefined ? undefined : Math.max(0, at * 1_000 - nowMs)
}

const isLimited = ({ status, header }: RetryAnswer): boolean => {
  if (status === 429) return true
  // WHY 403: one of the forges refuses so when a limit is used up, and says it in headers.
  return (
    status === 403 &&
    (header("retry-after") !== null || header("x-ratelimit-remaining")?.trim() === "0")
  )
}

const pause = (count: number): RetryTime => ({
  millis: Math.min(PAUSE_MS_MAX, PAUSE_MS * 2 ** count),
  isTold: false
})

/** The time to wait after an answer, or after none; undefined where the answer stands. */
export const of = (
  answer: RetryAnswer | undefined,
  { count, nowMs }: { readonly count: number; readonly nowMs: number }
): RetryTime | undefined => {
  if (answer === undefined) return pause(count)
  const told = retryAfter(answer.header("retry-after"), nowMs)
  if (isLimited(answer)) {
    const millis = told ?? resetTime(answer, nowMs)
    return millis === undefined ? pause(count) : { millis: millis + 1, isTold: true }
  }
  // WHY 202: a forge answers so while it still builds what was asked for.
  if (answer.status === 202) return { millis: told ?? 1_000, isTold: true }
  if (answer.status < 500) return undefined
  return told === undefined ? pause(count) : { millis: told, isTold: true }
}
