/** Durations as people write them: `30s`, `5m`, `2h`, `90d`. */

const UNITS: ReadonlyMap<string, number> = new Map([
  ["ms", 1],
  ["s", 1_000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000]
])

/** Parses a duration to milliseconds; undefined for other texts. */
export const parse = (text: string): number | undefined => {
  const [, digits = "", unit = ""] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text) ?? []
  const size = UNITS.get(unit)
  return size === undefined ? undefined : Number(digits) * size
}

const plural = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? "" : "s"}`

/** A duration in its largest unit: `12 s`, `3 days`. */
export const print = (millis: number): string => {
  const seconds = Math.max(0, Math.round(millis / 1_000))
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h`
  return plural(Math.floor(seconds / 86_400), "day")
}
