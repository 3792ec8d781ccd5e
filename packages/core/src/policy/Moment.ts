/**
 * The moment that an evaluation is for, and the waivers that it may count. Without `max_age` and waivers nothing
 * depends on it.
 */
import * as Timestamp from "../shared/Timestamp.js"
import type { ActiveWaiver } from "./ActiveWaiver.js"

/** The moment that an evaluation is for. */
export interface Moment {
  readonly now: Timestamp.Timestamp
  /** The waivers of one environment that have not ended, in any order; an evaluation counts those in force. */
  readonly waivers: ReadonlyArray<ActiveWaiver>
}

/** A moment without waivers. */
export const at = (now: Timestamp.Timestamp): Moment => ({ now, waivers: [] })

/** No moment: all evidence counts as older than any `max_age`, so that nothing passes by mistake. */
export const TIMELESS: Moment = at(Timestamp.fromMicros(Timestamp.MICROSECONDS_MAX))
