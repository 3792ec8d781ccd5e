/** Words of the gate text: numbers with nouns, spans of time, and aligned columns. */

/** A number with its noun. */
export const plural = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? "" : "s"}`

const UNITS = [
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"]
] as const

/** A span of time in its largest whole unit. */
export const span = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds))
  const unit = UNITS.find(([size]) => whole >= size)
  return unit === undefined ? plural(whole, "second") : plural(Math.floor(whole / unit[0]), unit[1])
}

/** Lines of cells. */
export type Table = ReadonlyArray<ReadonlyArray<string>>

/** A column is padded to its longest cell, unless that is longer. */
const WIDTH_MAX = 60

/** The lines of a table, with its columns aligned. */
export const tableLines = (table: Table, indent: string): ReadonlyArray<string> => {
  const widths: Array<number> = []
  for (const row of table)
    for (const [index, cell] of row.entries())
      widths[index] = Math.max(widths[index] ?? 0, Math.min(cell.length, WIDTH_MAX))
  return table.map(
    (row) =>
      indent +
      row
        .map((cell, index) =>
          index === row.length - 1 ? cell : `${cell.padEnd(widths[index] ?? 0)}   `
        )
        .join("")
  )
}
