/**
 * A timer that counts the time in which the event loop turned.
 *
 * WHY: while one long computation keeps the loop, answers that have arrived are not read, and an ordinary timer fires
 * before they are. A server would then count as silent although only this process was.
 */

/** How often the timer looks. */
const LOOK_MS = 25

/** What one look counts at most. WHY so much: a busy machine delays looks by some tenths of a second. */
const COUNTED_MS_MAX = 400

/** Calls back after so many milliseconds of a turning loop; the returned function stops that. */
export const after = (millis: number, callback: () => void): (() => void) => {
  let left = millis
  let last = performance.now()
  const timer = setInterval(
    () => {
      const now = performance.now()
      left -= Math.min(now - last, COUNTED_MS_MAX)
      last = now
      if (left > 0) return
      clearInterval(timer)
      callback()
    },
    Math.min(LOOK_MS, millis)
  )
  return () => clearInterval(timer)
}
