/**
 * Decides when a call is repeated, and after which delay. Pure: the transport sleeps.
 *
 * Every write of the API is idempotent (DECISIONS.md, "Retried writes converge"), so all calls may be repeated, except
 * after a permanent error.
 */
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"

/** The number of repetitions and their delays. */
export interface RetryPolicy {
  /** Attempts after the first; 0 never repeats. */
  readonly retriesMax: number
  /** Back-off before the first repetition; it doubles from there. */
  readonly delayFirst: Duration.DurationInput
  /** The largest back-off; after a longer `Retry-After` the call is not repeated. */
  readonly delayMax: Duration.DurationInput
}

/** Four repetitions within about four seconds, or after `Retry-After` of up to half a minute each. */
export const defaults: RetryPolicy = {
  retriesMax: 4,
  delayFirst: Duration.millis(250),
  delayMax: Duration.seconds(30)
}

/** Whether an error is temporary: the rate limit is exceeded, or the server is unavailable. */
export const isTransient = (status: number): boolean => status === 429 || status === 503

const SECONDS = /^[0-9]{1,9}$/

/** The delay of `Retry-After`, from seconds or a date; none for any other text. */
export const askedWait = (header: string | undefined, nowMs: number): Duration.Duration => {
  if (header === undefined) return Duration.zero
  if (SECONDS.test(header)) return Duration.seconds(Number(header))
  const untilMs = Date.parse(header)
  return Number.isNaN(untilMs) ? Duration.zero : Duration.millis(Math.max(0, untilMs - nowMs))
}

/** The input of a delay. */
export interface Repetition {
  /** Counts from 1. */
  readonly retry: number
  /** A random number from 0 to 1; it reduces the back-off by up to half. */
  readonly jitter: number
  /** The delay of `Retry-After`. */
  readonly asked: Duration.Duration
}

/** The delay before a repetition; none when the call is not repeated. */
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
  // WHY: clients with the same `Retry-After` must not repeat at the same time.
  return Option.some(Duration.sum(asked, Duration.times(backOff, 1 - jitter / 2)))
}
