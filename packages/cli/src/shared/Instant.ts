/** Instants as people write them: `3d` from now or ago, `2026-11-16`, `2026-11-16T10:00:00Z`, epoch seconds. Pure. */
import * as Duration from "./Duration.js"
import type { Host } from "./Host.js"

const DIRECTIONS = { before: -1, after: 1 } as const

const secondsOf = (text: string): number | undefined => {
  if (/^\d{9,11}(?:\.\d{1,6})?$/.test(text)) return Number(text)
  const millis = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(millis) ? undefined : millis / 1_000
}

/** Parses an instant to epoch seconds, a duration as before or after now; undefined for other texts. */
export const parse = (
  { now }: Pick<Host, "now">,
  text: string,
  direction: keyof typeof DIRECTIONS
): number | undefined => {
  const distance = Duration.parse(text)
  return distance === undefined
    ? secondsOf(text)
    : (now() + DIRECTIONS[direction] * distance) / 1_000
}

/** An instant for people, to the minute: `2026-11-21 14:00 UTC (in 3 days)`. */
export const print = (seconds: number, nowMs: number): string => {
  const millis = seconds * 1_000
  const minute = new Date(millis).toISOString().slice(0, 16).replace("T", " ")
  return `${minute} UTC (${Duration.relative(millis - nowMs)})`
}
