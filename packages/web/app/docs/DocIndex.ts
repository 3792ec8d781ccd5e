/** The order of the documentation: `docs/README.md`, whose lists GitHub shows too. Pure. */

/** The path of the index in the repository. */
export const INDEX = "docs/README.md"

/** A document of the index. */
export interface DocEntry {
  /** Its path in the repository. */
  readonly path: string
  readonly title: string
  readonly description: string
}

/** Documents for one kind of reader. */
export interface DocGroup {
  readonly name: string
  readonly entries: ReadonlyArray<DocEntry>
}

/** A path of the repository, from a link of a document. */
export const resolve = (from: string, link: string): string => {
  const parts = from.split("/").slice(0, -1)
  for (const part of link.split("/")) {
    if (part === "..") parts.pop()
    else if (part !== "." && part !== "") parts.push(part)
  }
  return parts.join("/")
}

const ITEM = /^- \[([^\]]+)\]\(([^)\s]+)\)(?:: (.*))?$/

/** The groups of the index, in its order. */
export const parse = (text: string): ReadonlyArray<DocGroup> =>
  text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [name = "", ...lines] = section.split("\n")
      return {
        name: name.trim(),
        entries: lines.flatMap((line) => {
          const [, title = "", link, description = ""] = ITEM.exec(line) ?? []
          return link === undefined ? [] : [{ path: resolve(INDEX, link), title, description }]
        })
      }
    })

/** The address of a document below `/docs/`, without a slash at either end: `docs/CLI.md` has `cli`. */
export const addressOf = (path: string): string => {
  if (path === INDEX) return ""
  if (path === "README.md") return "start"
  return path
    .replace(/^docs\//, "")
    .replace(/\/README\.md$/, "")
    .replace(/\.md$/, "")
    .toLowerCase()
}
