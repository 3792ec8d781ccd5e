/** Instants in the results of administration commands. */
import * as Timestamp from "@attestry/core/Timestamp"

/** ISO 8601, to the millisecond. */
export const iso = (at: Timestamp.Timestamp): string =>
  new Date(Math.floor(Timestamp.toSeconds(at) * 1000)).toISOString()
