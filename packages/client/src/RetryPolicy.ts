/**
 * When a call is repeated, and how long it waits before. Pure: the transport asks, and sleeps.
 *
 * Every write of the API converges (DECISION A-20), so all calls may be repeated; what was refused for
 * good is not.
 */
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"

/** How often, and how patiently, a call is repeated. */
export interface RetryPolicy {
  /** Attempts after the first; 0 never repeats. */
  readonly retriesMax: number
  /** Back-off before the first repetition; it doubles from there. */
  readonly delayFirst: Duration.DurationInput
  /** Where back-off stops growing; a server that asks for a longer wait is not asked again. */
  readonly delayMax: Duration.DurationInput
}

/** Four repetitions within about four seconds, or as the server asks, up to half a minute each. */
export const defaults: RetryPolicy = {
  retriesMax: 4,
  delayFirst: Duration.millis(250),
  delayMax: Duration.seconds(30)
}

/** Whether an answer will pass: over the rate limit, or not available at the moment. */
export const isTransient = (status: number): boolean => status === 429 || status === 503

const SECONDS = /^[0-9]{1,9}$/

/** How long `Retry-After` asks to wait: seconds or a date; anything else asks for nothing. */
export const askedWait = (header: string | undefined, nowMs: number): Duration.Duration => {
  if (header === undefined) return Duration.zero
  if (SECONDS.test(header)) return Duration.seconds(Number(header))
  const untilMs = Date.parse(header)
  return Number.isNaN(untilMs) ? Duration.zero : Duration.millis(Math.max(0, untilMs - nowMs))
}

/** What a wait depends on. */
export interface Repetition {
  /** Counts from 1. */
  readonly retry: number
  /** A random number from 0 to 1, which takes up to half of the back-off away. */
  readonly jitter: number
  /** What the server asked for. */
  readonly asked: Duration.Duration
}

/** The wait before a repetition, or none when it is not to be made. */
export const wait = (
  policy: RetryPolicy,
  { retry, jitter, asked }: Repetition
): Option.Option<Duration.Duration> => {
  if (retry > policy.retriesMax || Duration.greaterThan(asked, policy.delayMax)) {
    return Option.none()
  }
  const backOff = Duration.min(
    Duration.times(policy.delayFirst, 2 ** Math.min(retry - 1, 30)),
    policy.delayMax
  )
  // WHY: callers that were all told the same time must not all come back at it.
  return Option.some(Duration.sum(asked, Duration.times(backOff, 1 - jitter / 2)))
}
