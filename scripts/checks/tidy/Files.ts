/** Files as a whole: what they are called, whether anybody imports them, how many titles a document has. */
import { at, type Finding } from "../shared/Finding.js"
import { importsOf, resolve } from "../shared/Imports.js"
import type { TextFile } from "../shared/Repository.js"
import type { SourceFile } from "../shared/SourceFile.js"

const EMPTY_SEGMENTS = [
  /^(?:[Uu]tils?|[Hh]elpers?|[Cc]ommon|[Mm]anagers?|[Tt]ypes|[Mm]isc)$/,
  /(?:Utils?|Helpers?|Common|Manager|V\d+|New|Old|Temp)$/
]

/** Files and folders with a name that says nothing, or that numbers its successors. */
export const emptyPaths = (file: TextFile): ReadonlyArray<Finding> =>
  file.path
    .split("/")
    .map((segment) => segment.replace(/\..*$/, ""))
    .filter((segment) => EMPTY_SEGMENTS.some((pattern) => pattern.test(segment)))
    .map((segment) => at(file, 1, `is called \`${segment}\``))

/** Files that no other file imports, except those that are reached in another way. */
export const unreached = (
  files: ReadonlyArray<SourceFile>,
  isEntry: (file: SourceFile) => boolean
): ReadonlyArray<Finding> => {
  const reached = new Set(
    files.flatMap((file) => importsOf(file).map(({ specifier }) => resolve(file.path, specifier)))
  )
  // A thread is started from the address of its file, which stands in a string of whoever starts it.
  const started = (file: SourceFile): boolean => {
    const name = `/${file.path.split("/").at(-1)?.replace(/\.ts$/, ".js")}"`
    return files.some((other) => other !== file && other.text.includes(name))
  }
  return files
    .filter((file) => !isEntry(file) && !reached.has(file.path) && !started(file))
    .map((file) => at(file, 1, "is imported by no other file"))
}

/** The lines of a document that are not inside a fence, with their numbers. */
const prose = ({
  text
}: TextFile): ReadonlyArray<{ readonly text: string; readonly line: number }> => {
  let fence: string | undefined
  return text.split("\n").flatMap((line, index) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) {
      fence = fence === undefined ? mark : undefined
      return []
    }
    return fence === undefined ? [{ text: line, line: index + 1 }] : []
  })
}

/** Documents that do not have exactly one title, or in which something comes before it. */
export const titles = (document: TextFile): ReadonlyArray<Finding> => {
  const lines = prose(document).filter(({ text }) => text.trim() !== "")
  const found = lines.filter(({ text }) => /^# \S/.test(text))
  if (found.length !== 1) return [at(document, 1, `has ${found.length} titles instead of one`)]
  return found[0] === lines[0] ? [] : [at(document, 1, "does not begin with its title")]
}
