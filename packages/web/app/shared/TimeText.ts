/** Times and durations as text. Never "yesterday": a duration has units, an absolute time has a date and a zone. */

/** The zone of the reader, or UTC. */
export type Zone = "local" | "utc"

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Times younger than this are shown relative to now. */
export const RELATIVE_BELOW_MS = 48 * HOUR

const pair = (large: number, largeUnit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`

/** A duration with at most two units: `40 s`, `2 h 10 min`, `3 d 4 h`. */
export const duration = (ms: number): string => {
  const length = Math.max(0, Math.abs(ms))
  if (length < MINUTE) return `${Math.floor(length / SECOND)} s`
  if (length < HOUR) return `${Math.floor(length / MINUTE)} min`
  if (length < DAY)
    return pair(Math.floor(length / HOUR), "h", Math.floor((length % HOUR) / MINUTE), "min")
  return pair(Math.floor(length / DAY), "d", Math.floor((length % DAY) / HOUR), "h")
}

/** A time relative to now: `2 h 10 min ago`, `in 5 min`. */
export const relative = (atMs: number, nowMs: number): string => {
  const elapsed = nowMs - atMs
  if (Math.abs(elapsed) < SECOND) return "now"
  return elapsed > 0 ? `${duration(elapsed)} ago` : `in ${duration(elapsed)}`
}

const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? "" : "s"}`

/** A distance to the nearest of one unit: `40 s`, `10 min`, `5 hours`, `2 days`. */
const nearest = (ms: number): string => {
  if (ms < MINUTE) return `${Math.ceil(ms / SECOND)} s`
  if (ms < HOUR) return `${Math.round(ms / MINUTE)} min`
  if (ms < 2 * DAY - HOUR) return counted(Math.round(ms / HOUR), "hour")
  return counted(Math.round(ms / DAY), "day")
}

/** A countdown to an end: `ends in 2 days`, `ended 5 hours ago`. */
export const ending = (atMs: number, nowMs: number): string =>
  atMs > nowMs ? `ends in ${nearest(atMs - nowMs)}` : `ended ${nearest(nowMs - atMs)} ago`

const formats = new Map<string, Intl.DateTimeFormat>()

const formatOf = (timeZone: string | undefined): Intl.DateTimeFormat => {
  const key = timeZone ?? ""
  const known = formats.get(key)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat("en-GB", {
    ...(timeZone === undefined ? {} : { timeZone }),
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
    timeZoneName: "short"
  })
  formats.set(key, format)
  return format
}

/** A time with its zone: `2026-11-16 03:13:52 UTC`. Tests can name the local zone. */
export const absolute = (atMs: number, zone: Zone, localZone?: string): string => {
  if (!Number.isFinite(atMs) || Math.abs(atMs) > 8.64e15) return "unknown time"
  const parts = new Map(
    formatOf(zone === "utc" ? "UTC" : localZone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, value])
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? ""
  const date = `${part("year")}-${part("month")}-${part("day")}`
  const time = `${part("hour")}:${part("minute")}:${part("second")}`
  return `${date} ${time} ${part("timeZoneName")}`
}

/** An instant in the zone of the reader and in UTC. */
export const instant = (atMs: number, zone: Zone): string => {
  const utc = absolute(atMs, "utc")
  return zone === "utc" ? utc : `${absolute(atMs, zone)} · ${utc}`
}

/** What happens at an instant, before and after it. */
const EVENTS = {
  expires: "expired",
  ends: "ended",
  starts: "started",
  "next change": "changed"
} as const

/** What happens at an instant. */
export type Event = keyof typeof EVENTS

/** A countdown that is shorter than this is marked. */
export const SOON_BELOW_MS = 7 * DAY

/** The time until an instant: `expires in 3 d 4 h`; after it, the time since: `expired 5 min ago`. */
export const countdown = (
  atMs: number,
  nowMs: number,
  event: Event
): { readonly text: string; readonly isSoon: boolean } => ({
  text: `${atMs <= nowMs ? EVENTS[event] : event} ${relative(atMs, nowMs)}`,
  isSoon: atMs > nowMs && atMs - nowMs < SOON_BELOW_MS
})

/** The text of a time and its tooltip, which always has UTC. */
export const timeText = (
  atMs: number,
  nowMs: number,
  zone: Zone
): { readonly text: string; readonly title: string } => {
  const utc = absolute(atMs, "utc")
  const shown = absolute(atMs, zone)
  const isRecent = Math.abs(nowMs - atMs) < RELATIVE_BELOW_MS
  const others = zone === "utc" ? [utc] : [shown, utc]
  return isRecent
    ? { text: relative(atMs, nowMs), title: others.join(" · ") }
    : { text: shown, title: [relative(atMs, nowMs), ...(zone === "utc" ? [] : [utc])].join(" · ") }
}

/** How long a relative time stays correct: a second below one minute, else the rest of the minute. */
export const refreshAfterMs = (atMs: number, nowMs: number): number => {
  const age = Math.abs(nowMs - atMs)
  return age < MINUTE ? SECOND : MINUTE - (age % MINUTE)
}
