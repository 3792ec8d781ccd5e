/**
 * Words that `docs/DOMAIN.md` rules out: those in code font in the column "Not". No identifier of `src` has them.
 *
 * Words of the column in plain font are right for something else, and are not checked.
 */
import { at, type Finding } from "../shared/Finding.js"
import type { TextFile } from "../shared/Repository.js"

/** The document that has the words. */
export const DOCUMENT = "docs/DOMAIN.md"

/**
 * Members of the wire that have such a word: `knowledge` of a backtest, and `played` of its progress. They keep their
 * names in the code that reads and writes them.
 */
const WIRE: ReadonlySet<string> = new Set(["knowledge", "played"])

/** The words of the column "Not" that are in code font, in lower case. */
export const wordsIn = (document: string): ReadonlyArray<string> =>
  document.split("\n").flatMap((line) => {
    const [, word, , not, end] = line.split("|")
    return end === "" && word?.startsWith(" **") === true
      ? [...(not ?? "").matchAll(/`([^`]+)`/g)].flatMap(([, said]) => said?.toLowerCase() ?? [])
      : []
  })

const COMMENT = /\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm
const QUOTED = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g
const TEMPLATE = /`(?:\\.|\$\{[^}]*\}|[^`\\])*`/g

/** A text without comments and quotations; every line stays at its place. */
const codeOf = (text: string): string => {
  const blank = (part: string): string => part.replace(/[^\n]/g, " ")
  return text.replace(COMMENT, blank).replace(QUOTED, blank).replace(TEMPLATE, blank)
}

/** The words of an identifier: `keptAnswer_x` has `kept answer x`. */
const partsOf = (identifier: string): string =>
  identifier
    .split(/_|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    .join(" ")
    .toLowerCase()

/** Identifiers of files that have one of some words, also in the plural. The rule knows the identifiers it has seen. */
export const ruledOut = (words: ReadonlyArray<string>) => {
  const seen = new Map<string, string | undefined>()
  const wordOf = (identifier: string): string | undefined => {
    if (seen.has(identifier)) return seen.get(identifier)
    const parts = ` ${partsOf(identifier)} `
    const word = words.find((each) => parts.includes(` ${each} `) || parts.includes(` ${each}s `))
    seen.set(identifier, word)
    return word
  }
  return (file: TextFile): ReadonlyArray<Finding> =>
    codeOf(file.text)
      .split("\n")
      .flatMap((line, index) =>
        (line.match(/[A-Za-z_$][\w$]*/g) ?? []).flatMap((identifier) => {
          const word = WIRE.has(identifier) ? undefined : wordOf(identifier)
          return word === undefined
            ? []
            : [at(file, index + 1, `has \`${identifier}\`, and DOMAIN.md rules \`${word}\` out`)]
        })
      )
}
