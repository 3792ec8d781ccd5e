/** Where links of documents lead: to pages, to files of the site, to the repository, or elsewhere. Pure. */
import { resolve } from "./DocIndex.js"
import type { DocLink } from "./DocMarkdown.js"
import type { DocDocument, DocPage } from "./DocPages.js"

/** The place where readers see files that are not documents. */
export const REPOSITORY = "https://github.com/attestry/attestry/blob/main/"

/** The address that documents use for a server. */
const SERVER = "http://127.0.0.1:8080/"

/** Everything that a link can lead to. */
export interface Targets {
  /** Documents by their paths in the repository. */
  readonly documents: ReadonlyMap<string, DocDocument>
  /** Hashed files of images, by their paths in the repository, below the root of the server. */
  readonly images: ReadonlyMap<string, string>
  /** Whether the repository has a file or a folder. */
  readonly has: (path: string) => boolean
}

/** Where a link leads, or why it leads nowhere. */
export type Target =
  | { readonly kind: "page"; readonly page: DocPage; readonly anchor: string }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "elsewhere"; readonly href: string }
  | { readonly kind: "nowhere"; readonly problem: string }

const nowhere = (problem: string): Target => ({ kind: "nowhere", problem })

const pageOf = (document: DocDocument, anchor: string, href: string): Target => {
  if (anchor === "") return { kind: "page", page: document.page, anchor }
  const page = document.places.get(anchor)
  return page === undefined
    ? nowhere(`\`${href}\` names a heading that is not there`)
    : { kind: "page", page, anchor }
}

/** Where a link of a document leads. */
export const targetOf = (
  from: string,
  { href, isImage }: DocLink,
  { documents, images, has }: Targets
): Target => {
  if (href.startsWith(SERVER)) return { kind: "file", path: href.slice(SERVER.length) }
  if (/^[a-z]+:/.test(href)) return { kind: "elsewhere", href }
  const [link = "", anchor = ""] = href.split("#")
  const path = link === "" ? from : resolve(from, link)
  const image = images.get(path)
  if (image !== undefined) return { kind: "file", path: image }
  if (isImage) return nowhere(`there is no image \`${href}\``)
  const document = documents.get(path) ?? documents.get(`${path}/README.md`)
  if (document !== undefined) return pageOf(document, anchor, href)
  return has(path)
    ? { kind: "elsewhere", href: `${REPOSITORY}${path}` }
    : nowhere(`there is no file \`${href}\``)
}

/** The way from a page up to the root of the server. */
export const upFrom = (path: string): string => "../".repeat(path.split("/").length)

/** The address of a target, seen from a page; a link without a target stays on the page. */
export const addressFrom = (path: string, target: Target): string => {
  switch (target.kind) {
    case "page": {
      const anchor = target.anchor === "" ? "" : `#${target.anchor}`
      return target.page.path === path && anchor !== ""
        ? anchor
        : `${upFrom(path)}docs/${target.page.path}${anchor}`
    }
    case "file":
      return `${upFrom(path)}${target.path}`
    case "elsewhere":
      return target.href
    case "nowhere":
      return "#"
  }
}
