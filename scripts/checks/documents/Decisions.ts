/** Decisions, laws and promises: each is listed in one document, and what is cited exists. */
import { at, type Finding } from "../shared/Finding.js"
import type { TextFile } from "../shared/Repository.js"

/** The document that has every decision. */
export const DOCUMENT = "docs/DECISIONS.md"

/** The document that has every law. */
export const LAWS = "docs/TESTING.md"

/** The document that has every promise. */
export const PROMISES = "SECURITY.md"

/** The most decisions, so that a newcomer can read all of them. */
export const DECISIONS_MAX = 60

/** The most words of one decision. */
export const WORDS_MAX = 120

/** A decision: its name, and the text below it. */
export interface Decision {
  readonly name: string
  readonly text: string
}

/** The decisions of a document, in its order. */
export const decisionsIn = (document: string): ReadonlyArray<Decision> =>
  document
    .split(/^(?=#{2,3} )/m)
    .filter((section) => section.startsWith("### "))
    .map((section) => {
      const [name = "", ...text] = section.slice("### ".length).split("\n")
      return { name, text: text.join("\n") }
    })

const wordsOf = (text: string): number => text.split(/\s+/).filter((word) => word !== "").length

/** Problems of one decision: too long, or without a reason or an alternative. */
export const problemsOf = ({ name, text }: Decision): ReadonlyArray<string> => [
  ...(wordsOf(text) > WORDS_MAX ? [`"${name}" has more than ${WORDS_MAX} words`] : []),
  ...["**Why:**", "**Also looked at:**"]
    .filter((part) => !text.replace(/\s+/g, " ").includes(part))
    .map((part) => `"${name}" has no ${part}`)
]

/** Names or ids that are given twice. */
export const repeated = (ids: ReadonlyArray<string>): ReadonlyArray<string> =>
  ids.filter((id, index) => ids.indexOf(id) !== index)

const LAW = /(?<![\w-])([A-Z]{3,})-(\d{1,2})(?![\w-])/g

/** The laws of a document: the ids at the beginning of a table's row, ranges included. */
export const lawsIn = (document: string): ReadonlyArray<string> =>
  document.split("\n").flatMap((line) => {
    const [, ids] = /^\| ((?:[A-Z]{3,}-\d+(?:, | to )?)+)(?: \||:)/.exec(line) ?? []
    return (ids ?? "").split(", ").flatMap((part) => {
      const [first, last] = [...part.matchAll(LAW)]
      if (first === undefined) return []
      const [, area = "", from = ""] = first
      const length = Number(last?.[2] ?? from) - Number(from) + 1
      return Array.from({ length }, (_, index) => `${area}-${Number(from) + index}`)
    })
  })

/** The promises of a document: the ids at the beginning of a table's row. */
export const promisesIn = (document: string): ReadonlyArray<string> =>
  [...document.matchAll(/^\| (P-(?:5XX|[A-Z]{2,})) \|/gm)].flatMap(([, id]) => id ?? [])

const PROMISE = /(?<![\w-])P-(?:5XX|[A-Z]{2,})(?![\w-])/g

/** A citation of a decision; a line of a comment may end within it. */
const CITED = /DECISIONS\.md,\s+(?:(?:\*|\/\/|--|#)\s+)?"([^"]+)"/g

/** A citation by a number, which decisions do not have. */
const NUMBERED = /\bDECISION\s+[A-Z]\S*|(?<![\w-])(?:[AB]-\d{2,3}|D\d{1,2}\.\d{1,2})(?![\w-])/g

const lineOf = (text: string, index: number): number => text.slice(0, index).split("\n").length

const unwrapped = (name: string): string => name.replace(/\s*\n\s*(?:(?:\*|\/\/|--|#)\s+)?/g, " ")

/** What a repository knows. */
export interface Known {
  readonly decisions: ReadonlySet<string>
  readonly laws: ReadonlySet<string>
  readonly promises: ReadonlySet<string>
}

/** Citations of decisions, laws and promises that do not exist, and citations by number. */
export const unknownCitations = ({ decisions, laws, promises }: Known) => {
  const areas = new Set([...laws].flatMap((id) => id.split("-")[0] ?? []))
  return (file: TextFile): ReadonlyArray<Finding> => {
    const find = (pattern: RegExp, saying: (match: RegExpMatchArray) => string | undefined) =>
      [...file.text.matchAll(pattern)].flatMap((match) => {
        const said = saying(match)
        return said === undefined ? [] : [at(file, lineOf(file.text, match.index), said)]
      })
    return [
      ...find(CITED, ([, name = ""]) =>
        decisions.has(unwrapped(name))
          ? undefined
          : `cites "${unwrapped(name)}", which is no decision`
      ),
      ...find(NUMBERED, ([id]) => `cites \`${id}\`: a decision is cited by its name`),
      ...find(LAW, ([id, area = ""]) =>
        !areas.has(area) || laws.has(id) ? undefined : `cites \`${id}\`, which is no law`
      ),
      ...find(PROMISE, ([id]) =>
        promises.has(id) ? undefined : `cites \`${id}\`, which is no promise`
      )
    ]
  }
}
