/** Whether an output has the lines that a document shows. Pure. */

const HOLE = "…"

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")

/** A line whose holes match anything; a line that is only a hole matches any number of lines. */
const matches = (line: string, shown: string): boolean =>
  // The pattern is made from the text of a document of this repository.
  new RegExp(`^${shown.split(HOLE).map(escaped).join(".*")}$`, "u").test(line)

const trimmed = (text: string): ReadonlyArray<string> => {
  const lines = text.split("\n").map((line) => line.trimEnd())
  const first = lines.findIndex((line) => line !== "")
  const last = lines.findLastIndex((line) => line !== "")
  return first < 0 ? [] : lines.slice(first, last + 1)
}

const fits = (lines: ReadonlyArray<string>, shown: ReadonlyArray<string>): boolean => {
  const [first, ...rest] = shown
  if (first === undefined) return true
  if (first.trim() === HOLE)
    return lines.some((_, from) => fits(lines.slice(from), rest)) || rest.length === 0
  const [line, ...others] = lines
  return line !== undefined && matches(line, first) && fits(others, rest)
}

/** Whether consecutive lines of an output are those of a document; `…` stands for anything in a line, or for lines. */
export const shows = (output: string, document: string): boolean => {
  const lines = output.split("\n").map((line) => line.trimEnd())
  const shown = trimmed(document)
  return lines.some((_, from) => fits(lines.slice(from), shown))
}
