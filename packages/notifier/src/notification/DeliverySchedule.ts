/**
 * Decides when a failed delivery is tried again and when it becomes a dead letter. Names and servers come back, so a
 * blocked destination is tried again, too.
 *
 * Exponential backoff with jitter, never shorter than the receiver's `Retry-After`.
 */
import type { DeliveryOutcome } from "@attestry/core/Delivery"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import type { ChannelOutcome } from "./Channel.js"

/** The number of attempts and their backoff. */
export interface ScheduleOptions {
  /** The number of attempts, the first included. */
  readonly attemptsMax: number
  /** The pause after the first failed attempt, in milliseconds. */
  readonly backoffMillis: number
}

/** Eight attempts over three days. */
export const defaults: ScheduleOptions = { attemptsMax: 8, backoffMillis: 10_000 }

/** Each pause is this many times the previous one. */
export const FACTOR = 5.25
/** A pause is at most this much shorter or longer than planned. */
export const JITTER = 0.2
/** No pause is planned longer than this. */
export const PAUSE_MILLIS_MAX = 3 * 24 * 3_600_000
/** The longest `Retry-After` that is granted. */
export const RETRY_AFTER_MILLIS_MAX = 24 * 3_600_000

/** The planned pause after a number of failed attempts, counted from 1. */
export const pauseMillis = (failures: number, { backoffMillis }: ScheduleOptions): number =>
  Math.min(PAUSE_MILLIS_MAX, backoffMillis * FACTOR ** Math.max(0, failures - 1))

const afterMillis = (
  failures: number,
  options: ScheduleOptions,
  {
    chance,
    retryAfter
  }: { readonly chance: number; readonly retryAfter: Option.Option<Duration.Duration> }
): number => {
  const spread = pauseMillis(failures, options) * (1 - JITTER + 2 * JITTER * chance)
  const requested = Option.match(retryAfter, { onNone: () => 0, onSome: Duration.toMillis })
  return Math.round(Math.max(spread, Math.min(requested, RETRY_AFTER_MILLIS_MAX)))
}

/** The outcome of an attempt at a delivery that had `attempts` failed ones; `chance` is in [0, 1). */
export const settle = (
  outcome: ChannelOutcome,
  { attempts, chance }: { readonly attempts: number; readonly chance: number },
  options: ScheduleOptions
): DeliveryOutcome => {
  switch (outcome._tag) {
    case "Accepted":
      return { _tag: "Delivered" }
    case "Withheld":
      return { _tag: "Dropped" }
    case "Gone":
      return { _tag: "Gone", error: outcome.error }
    case "Refused": {
      const { error, isFinal, retryAfter } = outcome
      const failures = attempts + 1
      return isFinal || failures >= options.attemptsMax
        ? { _tag: "Dead", error }
        : {
            _tag: "Retry",
            error,
            afterMillis: afterMillis(failures, options, { chance, retryAfter })
          }
    }
  }
}
