/** Aligns columns of text by visible width: escape sequences and zero-width marks do not count. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: our own colours, which take no room
const COLOURS = /\u001b\[\d+m/g
const NO_WIDTH = /\p{Mn}|\p{Me}|\u200d/gu
const WIDE_LETTERS =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f]/gu
const WIDE_SIGNS = /[\uff00-\uff60\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/gu

/** The number of terminal cells that a text takes. */
export const widthOf = (text: string): number => {
  const seen = text.replaceAll(COLOURS, "").replaceAll(NO_WIDTH, "")
  const wide = (seen.match(WIDE_LETTERS) ?? []).length + (seen.match(WIDE_SIGNS) ?? []).length
  return [...seen].length + wide
}

/** The lines of a table, with two spaces between columns; the last column is not padded. */
export const lines = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const widths: Array<number> = []
  for (const row of rows)
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, widthOf(cell))
  return rows.map((row) =>
    row
      .map((cell, at) =>
        at === row.length - 1 ? cell : cell + " ".repeat((widths[at] ?? 0) - widthOf(cell))
      )
      .join("  ")
      .trimEnd()
  )
}
