/** A span of time by which lists are cut: both bounds are inclusive, and either may be left to its default. */
import { plusSeconds, type Timestamp } from "./Timestamp.js"

/** The bounds of a request; either may be absent. */
export interface TimeWindow {
  readonly from?: Timestamp
  readonly to?: Timestamp
}

/** A span with both bounds. */
export type WholeWindow = Required<TimeWindow>

/** Days before its end at which a window of deployments or builds begins by default. SPEC §4.12 */
export const DAYS = 28

/** Days before its end at which a window of an environment's deployments begins by default. SPEC §4.12 */
export const ENVIRONMENT_DAYS = 30

const DAY_SECONDS = 86_400

/** The window with its defaults: it ends now, and begins some days before its end. */
export const complete = (
  { from, to }: TimeWindow,
  { now, days }: { readonly now: Timestamp; readonly days: number }
): WholeWindow => {
  const end = to ?? now
  return { from: from ?? plusSeconds(end, -days * DAY_SECONDS), to: end }
}

/** Whether a request gives at least one bound. */
export const isBounded = ({ from, to }: TimeWindow): boolean =>
  from !== undefined || to !== undefined

/** Whether an instant is within the bounds that are given. */
export const includes = ({ from, to }: TimeWindow, at: Timestamp): boolean =>
  (from === undefined || at >= from) && (to === undefined || at <= to)
