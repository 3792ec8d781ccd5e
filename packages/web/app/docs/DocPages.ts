/**
 * The pages of the documentation: one per document, or one per section of a long one. Pure.
 *
 * A long document is split at headings of the second level, and a long section of it at those of the third. Anchors
 * stay those of the document, so that a link to `CLI.md#begin` leads to the page that has the section.
 */
import type { Token } from "marked"
import { addressOf, type DocEntry, type DocGroup, INDEX } from "./DocIndex.js"
import * as DocMarkdown from "./DocMarkdown.js"

/** A page. */
export interface DocPage {
  /** Its path below `/docs/`: empty, or with a slash at its end. */
  readonly path: string
  readonly title: string
  /** The document that has its text. */
  readonly document: DocEntry
  readonly group: string
  readonly tokens: ReadonlyArray<Token>
  /** Headings below the title. */
  readonly headings: ReadonlyArray<DocMarkdown.DocHeading>
  /** The pages of the sections of a document that is split. */
  readonly parts: ReadonlyArray<DocPage>
}

/** The pages of a document, and the anchor of each of its headings. */
export interface DocDocument {
  readonly page: DocPage
  readonly anchors: ReadonlyMap<Token, string>
  /** The page of each anchor. */
  readonly places: ReadonlyMap<string, DocPage>
}

/** A document with more lines is split. */
const LINES_MAX = 520

const linesOf = (tokens: ReadonlyArray<Token>): number =>
  tokens.reduce((sum, { raw }) => sum + raw.trimEnd().split("\n").length, 0)

const isHeading = (token: Token, depth: number): boolean =>
  token.type === "heading" && token.depth === depth

/** The tokens before the first heading of a depth, and the sections that begin with one. */
const sectionsOf = (tokens: ReadonlyArray<Token>, depth: number) => {
  const starts = tokens.flatMap((token, at) => (isHeading(token, depth) ? [at] : []))
  const sections = starts.map((from, index) => tokens.slice(from, starts[index + 1]))
  return { before: tokens.slice(0, starts[0] ?? tokens.length), sections }
}

const titleOf = (token: Token | undefined): string =>
  token === undefined ? "" : DocMarkdown.plainText([token]).trim()

/** The pages below a page, which stay part of it if it is short. */
const split = (
  whole: Omit<DocPage, "parts" | "headings">,
  depth: number,
  anchors: ReadonlyMap<Token, string>
): DocPage => {
  const headings = (tokens: ReadonlyArray<Token>) =>
    tokens
      .slice(1)
      .flatMap((token) =>
        token.type === "heading"
          ? [{ depth: token.depth, text: titleOf(token), anchor: anchors.get(token) ?? "" }]
          : []
      )
  const { before, sections } = sectionsOf(whole.tokens, depth)
  if (depth > 3 || sections.length < 2 || linesOf(whole.tokens) <= LINES_MAX)
    return { ...whole, headings: headings(whole.tokens), parts: [] }
  const parts = sections.map((tokens) => {
    const [first] = tokens
    const anchor = first === undefined ? "" : (anchors.get(first) ?? "")
    const path = `${whole.path}${anchor}/`
    return split({ ...whole, path, title: titleOf(first), tokens }, depth + 1, anchors)
  })
  return { ...whole, tokens: before, headings: headings(before), parts }
}

/** A page and every page below it. */
export const flatten = (page: DocPage): ReadonlyArray<DocPage> => [
  page,
  ...page.parts.flatMap(flatten)
]

/** The pages of a document. */
export const ofDocument = (document: DocEntry, group: string, text: string): DocDocument => {
  const tokens = DocMarkdown.lex(text).filter(({ type }) => type !== "space")
  const anchor = DocMarkdown.anchors()
  const anchors = new Map(
    DocMarkdown.within(tokens)
      .filter(({ type }) => type === "heading")
      .map((token) => [token, anchor(titleOf(token))] as const)
  )
  const address = addressOf(document.path)
  const path = address === "" ? "" : `${address}/`
  const title = titleOf(tokens.find((token) => isHeading(token, 1))) || document.title
  const page = split({ path, title, document, group, tokens }, 2, anchors)
  const places = new Map(
    flatten(page).flatMap((each) =>
      DocMarkdown.within(each.tokens).flatMap((token) => {
        const name = anchors.get(token)
        return name === undefined ? [] : [[name, each] as const]
      })
    )
  )
  return { page, anchors, places }
}

/** The documents of an index, the index itself first. */
export const ofIndex = (
  groups: ReadonlyArray<DocGroup>,
  read: (path: string) => string | undefined
): ReadonlyArray<DocDocument> => {
  const index: DocEntry = { path: INDEX, title: "Documentation", description: "" }
  const listed = groups.flatMap(({ name, entries }) =>
    entries.map((entry) => ({ entry, group: name }))
  )
  return [{ entry: index, group: "" }, ...listed].flatMap(({ entry, group }) => {
    const text = read(entry.path)
    return text === undefined ? [] : [ofDocument(entry, group, text)]
  })
}
