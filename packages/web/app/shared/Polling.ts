/** Decides when a page polls again, from the clock, the visibility of the tab and the last results. */

/** The requests so far. Times are in milliseconds. */
export interface Progress {
  /** The interval that the page asks for. */
  readonly intervalMs: number
  readonly isVisible: boolean
  readonly isOnline: boolean
  /** When the last request ended; undefined before the first. */
  readonly lastAt: number | undefined
  /** When an answer last differed from the previous one. */
  readonly changedAt: number | undefined
  /** Failed requests since the last success. */
  readonly failures: number
  /** A random number from 0 to 1. */
  readonly chance: number
}

/** The maximum interval. */
export const INTERVAL_MAX_MS = 60_000
/** Intervals grow when no answer has changed for this long. */
export const QUIET_AFTER_MS = 600_000
/** Each interval varies by at most this share, so that tabs do not poll together. */
export const JITTER = 0.2

/** An interval that doubles with each failure, and grows with the time since the last change. */
const baseOf = (progress: Progress, now: number): number => {
  const quietMs = now - (progress.changedAt ?? now)
  const quiet =
    quietMs < QUIET_AFTER_MS ? 1 : 2 ** Math.min(6, Math.floor(quietMs / QUIET_AFTER_MS))
  const failed = 2 ** Math.min(6, progress.failures)
  const longest = Math.max(INTERVAL_MAX_MS, progress.intervalMs)
  return Math.min(longest, progress.intervalMs * Math.max(quiet, failed))
}

/** The time of the next request; undefined while the tab is hidden or offline. */
export const nextAt = (progress: Progress, now: number): number | undefined => {
  if (!progress.isVisible || !progress.isOnline) return undefined
  if (progress.lastAt === undefined) return now
  const jitter = 1 + JITTER * (2 * progress.chance - 1)
  return Math.max(now, progress.lastAt + Math.round(baseOf(progress, now) * jitter))
}
