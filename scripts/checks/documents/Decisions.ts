/** The numbers of `docs/DECISIONS.md`: given once, and known wherever they are cited. */
import { at, type Finding } from "../shared/Finding.js"
import type { TextFile } from "../shared/Repository.js"

/** The document that has every decision. */
export const DOCUMENT = "docs/DECISIONS.md"

/** Lines of the document: decisions, not notes about how they were found. */
export const LINES_MAX = 800

const DEFINED = /^(?:\*\*|\| )((?:A|B)-\d{2,3}|D\d+\.\d+|S\d+|E\d|P-[0-9A-Z]{2,})\b/gm

/** The numbers that a document gives, in its order: those that begin a row of a table or a paragraph. */
export const definedIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(DEFINED)].flatMap(([, id]) => id ?? [])

/** Numbers that are given twice. */
export const repeated = (ids: ReadonlyArray<string>): ReadonlyArray<string> =>
  ids.filter((id, index) => ids.indexOf(id) !== index)

const ANYWHERE = /(?<![\w-])(?:(?:A|B)-\d{2,3}|D\d+\.\d+|P-(?:5XX|[A-Z]{2,}))(?![\w-])/g

/** Numbers of storage and evaluation are short, so they count only beside the word. */
const BESIDE_THE_WORD = /\bDECISION\b.*/g
const SHORT = /(?<![\w-])(?:S\d{1,2}|E\d)(?![\w.-])/g

const citedIn = (line: string): ReadonlyArray<string> => [
  ...(line.match(ANYWHERE) ?? []),
  ...(line.match(BESIDE_THE_WORD) ?? []).flatMap((part) => part.match(SHORT) ?? [])
]

/** Citations of numbers that the document does not give. */
export const unknownCitations =
  (defined: ReadonlySet<string>) =>
  (file: TextFile): ReadonlyArray<Finding> =>
    file.text.split("\n").flatMap((line, index) =>
      citedIn(line)
        .filter((id) => !defined.has(id))
        .map((id) => at(file, index + 1, `cites \`${id}\`, which is no decision`))
    )
