/** Thins out checkpoints with age: all stay for 30 days, then one per minute, and after a year one per hour. Pure. */
import * as Timestamp from "../shared/Timestamp.js"
import type { LogCheckpoint } from "./Log.js"
import type { Thinning } from "./LogStore.js"

const DAY_SECONDS = 86_400
const MINUTE_MICROS = 60_000_000
const HOUR_MICROS = 3_600_000_000

/** The instants at which thinning by minute and by hour begin. */
export const at = (now: Timestamp.Timestamp): Thinning => ({
  wholeAfter: Timestamp.plusSeconds(now, -30 * DAY_SECONDS),
  minutesAfter: Timestamp.plusSeconds(now, -365 * DAY_SECONDS)
})

/** The minute or hour of which only the largest checkpoint stays. Undefined for a checkpoint that always stays. */
const spanOf = (
  { epoch, signed_at }: LogCheckpoint,
  { wholeAfter, minutesAfter }: Thinning
): string | undefined => {
  if (signed_at >= wholeAfter) return undefined
  const isMinute = signed_at >= minutesAfter
  const span = Math.floor(signed_at / (isMinute ? MINUTE_MICROS : HOUR_MICROS))
  return `${epoch} ${isMinute} ${span}`
}

/** The checkpoints to remove: the same minute or hour has a larger one. */
export const thinned = (
  checkpoints: ReadonlyArray<LogCheckpoint>,
  thinning: Thinning
): ReadonlyArray<LogCheckpoint> => {
  const largest = new Map<string, number>()
  for (const checkpoint of checkpoints) {
    const span = spanOf(checkpoint, thinning)
    if (span !== undefined) largest.set(span, Math.max(largest.get(span) ?? 0, checkpoint.size))
  }
  return checkpoints.filter((checkpoint) => {
    const span = spanOf(checkpoint, thinning)
    return span !== undefined && largest.get(span) !== checkpoint.size
  })
}
