/** How long to wait before repeating a request to a third-party service, by its answer. Pure. */

/** The parts of an answer that set the pause. */
export interface RetryAnswer {
  readonly status: number
  readonly header: (name: string) => string | null
}

/** A pause. */
export interface RetryTime {
  readonly millis: number
  /** Whether the service asked for it. */
  readonly isGiven: boolean
}

const PAUSE_MS = 250
const PAUSE_MS_MAX = 5_000

const wholeNumber = (text: string | null): number | undefined =>
  text !== null && /^\d{1,12}$/.test(text.trim()) ? Number(text) : undefined

/** The milliseconds in `Retry-After`, which has seconds or a date. */
const retryAfter = (text: string | null, nowMs: number): number | undefined => {
  const seconds = wholeNumber(text)
  if (seconds !== undefined) return seconds * 1_000
  const at = text === null ? Number.NaN : Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs)
}

/** The milliseconds until a rate limit resets, from epoch seconds. */
const resetTime = ({ header }: RetryAnswer, nowMs: number): number | undefined => {
  const at = wholeNumber(header("x-ratelimit-reset")) ?? wholeNumber(header("ratelimit-reset"))
  return at === undefined ? undefined : Math.max(0, at * 1_000 - nowMs)
}

const isLimited = ({ status, header }: RetryAnswer): boolean => {
  if (status === 429) return true
  // WHY 403: one forge answers it when a rate limit is exhausted, with headers that give the pause.
  return (
    status === 403 &&
    (header("retry-after") !== null || header("x-ratelimit-remaining")?.trim() === "0")
  )
}

const pause = (count: number): RetryTime => ({
  millis: Math.min(PAUSE_MS_MAX, PAUSE_MS * 2 ** count),
  isGiven: false
})

/** The pause after an answer or after silence; undefined if the answer is final. */
export const of = (
  answer: RetryAnswer | undefined,
  { count, nowMs }: { readonly count: number; readonly nowMs: number }
): RetryTime | undefined => {
  if (answer === undefined) return pause(count)
  const given = retryAfter(answer.header("retry-after"), nowMs)
  if (isLimited(answer)) {
    const millis = given ?? resetTime(answer, nowMs)
    return millis === undefined ? pause(count) : { millis: millis + 1, isGiven: true }
  }
  // WHY 202: a forge answers it while it builds the result.
  if (answer.status === 202) return { millis: given ?? 1_000, isGiven: true }
  if (answer.status < 500) return undefined
  return given === undefined ? pause(count) : { millis: given, isGiven: true }
}
