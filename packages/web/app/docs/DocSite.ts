/**
 * The documentation as files: pages, the index of the search, and problems of links and raw HTML. Pure.
 *
 * The build bundles this module and runs it; `docs/README.md` has the order of the documents.
 */
import type { Token } from "marked"
import * as DocIndex from "./DocIndex.js"
import * as DocLinks from "./DocLinks.js"
import * as DocMarkdown from "./DocMarkdown.js"
import * as DocPages from "./DocPages.js"
import type { DocSection } from "./DocSearch.js"
import * as DocTemplate from "./DocTemplate.js"

/** The repository, as the build reads it. */
export interface Source {
  readonly read: (path: string) => string | undefined
  readonly has: (path: string) => boolean
  readonly images: ReadonlyMap<string, string>
}

/** The read documents with everything that links can lead to. */
export interface DocModel {
  readonly groups: ReadonlyArray<DocIndex.DocGroup>
  readonly documents: ReadonlyArray<DocPages.DocDocument>
  readonly targets: DocLinks.Targets
}

/** Reads every document of the index. */
export const read = ({ read: readText, has, images }: Source): DocModel => {
  const groups = DocIndex.parse(readText(DocIndex.INDEX) ?? "")
  const documents = DocPages.ofIndex(groups, readText)
  const byPath = new Map(documents.map((each) => [each.page.document.path, each]))
  return { groups, documents, targets: { documents: byPath, images, has } }
}

const tokensOf = (document: DocPages.DocDocument): ReadonlyArray<Token> =>
  DocPages.flatten(document.page).flatMap(({ tokens }) => tokens)

/** Links that lead nowhere, raw HTML that is not allowed, and entries of the index without a document. */
export const problemsOf = ({ groups, documents, targets }: DocModel): ReadonlyArray<string> => [
  ...groups
    .flatMap(({ entries }) => entries)
    .filter(({ path }) => !targets.documents.has(path))
    .map(({ path }) => `${DocIndex.INDEX} names \`${path}\`, which is not there`),
  ...documents.flatMap((document) => {
    const { path } = document.page.document
    const tokens = tokensOf(document)
    const links = DocMarkdown.linksIn(tokens).flatMap((link) => {
      const target = DocLinks.targetOf(path, link, targets)
      return target.kind === "nowhere" ? [target.problem] : []
    })
    const forbidden = DocMarkdown.forbiddenIn(tokens).map((tag) => `\`${tag}\` is not allowed`)
    return [...links, ...forbidden].map((problem) => `${path}: ${problem}`)
  })
]

/** The sections of a page for the search: the part before its first heading, and one for each heading. */
const sectionsOf = (
  page: DocPages.DocPage,
  anchors: ReadonlyMap<Token, string>
): ReadonlyArray<DocSection> => {
  const sections: Array<{ anchor: string; heading: string; tokens: Array<Token> }> = [
    { anchor: "", heading: "", tokens: [] }
  ]
  for (const [at, token] of page.tokens.entries()) {
    if (token.type === "heading" && at > 0)
      sections.push({
        anchor: anchors.get(token) ?? "",
        heading: DocMarkdown.plainText([token]).trim(),
        tokens: []
      })
    else if (token.type !== "heading") sections.at(-1)?.tokens.push(token)
  }
  return sections.map(({ tokens, ...section }) => ({
    ...section,
    path: page.path,
    page: page.title,
    text: DocMarkdown.plainText(tokens).replaceAll(/\s+/g, " ").trim()
  }))
}

/** The index of the search. */
export const searchIndex = ({ documents }: DocModel): ReadonlyArray<DocSection> =>
  documents.flatMap(({ page, anchors }) =>
    DocPages.flatten(page).flatMap((each) => sectionsOf(each, anchors))
  )

const aboveOf = (page: DocPages.DocPage, document: DocPages.DocPage) =>
  DocPages.flatten(document).filter(({ path }) => path !== page.path && page.path.startsWith(path))

/** The HTML of every page by its path below `/docs/`, and of the page for unknown addresses. */
export const print = (model: DocModel, assets: DocTemplate.DocAssets) => {
  const { groups, documents, targets } = model
  const shared: DocTemplate.Shared = {
    groups,
    pageOf: (path) => targets.documents.get(path)?.page,
    assets
  }
  const all = documents.flatMap(({ page }) => DocPages.flatten(page))
  const pages = documents.flatMap(({ page: document, anchors }) =>
    DocPages.flatten(document).map((page) => {
      const at = all.indexOf(page)
      const [first] = page.tokens
      const html = DocMarkdown.print(page.tokens, {
        href: (link) =>
          DocLinks.addressFrom(page.path, DocLinks.targetOf(page.document.path, link, targets)),
        anchor: (heading) => anchors.get(heading) ?? "",
        raised: first?.type === "heading" ? first.depth - 1 : 0
      })
      const printed = {
        page,
        html,
        previous: all[at - 1],
        next: all[at + 1],
        above: aboveOf(page, document)
      }
      return [page.path, DocTemplate.page(printed, shared)] as const
    })
  )
  return { pages: new Map(pages), notFound: DocTemplate.notFound(shared) }
}
