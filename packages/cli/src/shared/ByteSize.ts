/** Sizes as people write them: `500`, `10MB`, `1GiB`. */

const UNITS: ReadonlyMap<string, number> = new Map([
  ["", 1],
  ["B", 1],
  ["kB", 1_000],
  ["MB", 1_000_000],
  ["GB", 1_000_000_000],
  ["KiB", 1_024],
  ["MiB", 1_048_576],
  ["GiB", 1_073_741_824],
  ["TiB", 1_099_511_627_776]
])

/** Parses a size to bytes; undefined for other texts. */
export const parse = (text: string): number | undefined => {
  const [, digits = "", unit = ""] = /^(\d{1,9})\s*([A-Za-z]*)$/.exec(text) ?? []
  const size = UNITS.get(unit)
  return size === undefined || digits === "" ? undefined : Number(digits) * size
}

/** A size in its largest binary unit. */
export const print = (bytes: number): string => {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"]
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1_024 ** power
  return `${Number.isInteger(value) ? value : value.toFixed(1)} ${units[power]}`
}
