/**
 * When the next report is due. Pure.
 *
 * After a success: after the interval, varied by up to a tenth so that many reporters do not report together. After a
 * failure: after 5 seconds, doubling up to 5 minutes.
 */

/** The first pause after a failure. */
export const FAILURE_PAUSE_MS = 5_000
/** The longest pause after failures. */
export const FAILURE_PAUSE_MAX_MS = 300_000
/** The shortest interval. */
export const EVERY_MIN_MS = 1_000
/** The default interval. */
export const EVERY_MS = 60_000
/** A reporter is not ready after this many intervals without a success. */
export const READY_INTERVALS = 3

const SPREAD = 0.1

/** The pause after a success; `chance` is between 0 and 1. */
export const successPauseMs = (everyMs: number, chance: number): number =>
  Math.round(everyMs * (1 - SPREAD + 2 * SPREAD * chance))

/** The pause after a number of consecutive failures, counted from 1. */
export const failurePauseMs = (failures: number): number =>
  Math.min(FAILURE_PAUSE_MAX_MS, FAILURE_PAUSE_MS * 2 ** Math.min(failures - 1, 16))

/** The progress of one environment. */
export interface Progress {
  readonly dueMs: number
  /** Consecutive failures. */
  readonly failures: number
  /** The time of the last success. */
  readonly succeededMs: number | undefined
}

/** The state before the first report. */
export const begin = (nowMs: number): Progress => ({
  dueMs: nowMs,
  failures: 0,
  succeededMs: undefined
})

/** The state after a successful report. */
export const succeeded = (nowMs: number, pauseMs: number): Progress => ({
  dueMs: nowMs + pauseMs,
  failures: 0,
  succeededMs: nowMs
})

/** The state after a failed report. */
export const failed = ({ failures, succeededMs }: Progress, nowMs: number): Progress => ({
  dueMs: nowMs + failurePauseMs(failures + 1),
  failures: failures + 1,
  succeededMs
})

/** Whether the last success is recent. */
export const isReady = ({ succeededMs }: Progress, everyMs: number, nowMs: number): boolean =>
  succeededMs !== undefined && nowMs - succeededMs <= READY_INTERVALS * everyMs
