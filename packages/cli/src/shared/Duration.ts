/** Durations as people write them: `30s`, `5m`, `2h`, `90d`, `2w`. */

const UNITS: ReadonlyMap<string, number> = new Map([
  ["ms", 1],
  ["s", 1_000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
  ["w", 604_800_000]
])

/** Parses a duration to milliseconds; undefined for other texts. */
export const parse = (text: string): number | undefined => {
  const [, digits = "", unit = ""] = /^(\d{1,9})(ms|s|m|h|d|w)$/.exec(text) ?? []
  const size = UNITS.get(unit)
  return size === undefined ? undefined : Number(digits) * size
}

const plural = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? "" : "s"}`

const inUnits = (millis: number, whole: (units: number) => number): string => {
  const seconds = Math.max(0, Math.round(millis / 1_000))
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3_600) return `${whole(seconds / 60)} min`
  if (seconds < 86_400) return `${whole(seconds / 3_600)} h`
  return plural(whole(seconds / 86_400), "day")
}

/** A duration in its largest unit: `12 s`, `3 days`. */
export const print = (millis: number): string => inUnits(millis, Math.floor)

/**
 * How far away an instant is: `3 days ago`, `in 2 h`; one of the future to the nearest unit. One that is less than a
 * second ahead has passed: clocks of two machines differ, and times are kept with a resolution.
 */
export const relative = (millis: number): string =>
  millis >= 1_000 ? `in ${inUnits(millis, Math.round)}` : `${print(Math.max(0, -millis))} ago`
