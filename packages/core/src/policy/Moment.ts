/** The moment that an evaluation is for. Policies without `max_age` do not depend on it. */
import * as Timestamp from "../shared/Timestamp.js"

/** The moment that an evaluation is for. */
export interface Moment {
  readonly now: Timestamp.Timestamp
}

/** No moment: all evidence counts as older than any `max_age`, so that nothing passes by mistake. */
export const TIMELESS: Moment = { now: Timestamp.fromMicros(Timestamp.MICROSECONDS_MAX) }
