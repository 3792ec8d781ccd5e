/**
 * A timer that counts the time in which the event loop turned.
 *
 * WHY: while one long computation keeps the loop, answers that have arrived are not read, and an ordinary timer fires
 * before they are. A server would then count as silent although only this process was.
 */

/** How often the timer looks, and the time that one look counts at most, in milliseconds. */
const LOOK_MS = 50

/** Calls back after so many milliseconds of a turning loop; the returned function stops that. */
export const after = (millis: number, callback: () => void): (() => void) => {
  let left = millis
  let last = performance.now()
  const timer = setInterval(
    () => {
      const now = performance.now()
      left -= Math.min(now - last, 2 * LOOK_MS)
      last = now
      if (left > 0) return
      clearInterval(timer)
      callback()
    },
    Math.min(LOOK_MS, millis)
  )
  return () => clearInterval(timer)
}
