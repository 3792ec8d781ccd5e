/** What `docs/ARCHITECTURE.md` lists, as sets that can be compared with the code. */
import { around, nameOf, type SourceFile } from "../shared/SourceFile.js"

/** The document itself. */
export const DOCUMENT = "docs/ARCHITECTURE.md"

const codeIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/`([^`]+)`/g)].flatMap(([, name]) => name ?? [])

/** The names in the first column of the table whose heading begins with a word; each cell may have several. */
export const firstColumn = (text: string, heading: string): ReadonlyArray<string> => {
  const lines = text.split("\n")
  const start = lines.findIndex((line) => line.startsWith(`| ${heading} |`))
  if (start < 0) return []
  const rows = lines.slice(start + 2)
  const end = rows.findIndex((line) => !line.startsWith("|"))
  return rows
    .slice(0, end < 0 ? rows.length : end)
    .flatMap((row) => codeIn(row.split("|")[1] ?? ""))
}

/** The names in code of the sentence that begins with a text. */
export const sentenceAfter = (text: string, beginning: string): ReadonlyArray<string> => {
  const start = text.indexOf(beginning)
  return start < 0 ? [] : codeIn(text.slice(start, text.indexOf(".", start)))
}

const TAGS: ReadonlySet<string> = new Set(["Tag", "Reference"])

/** The ports that a file declares: classes on `Context.Tag` or `Context.Reference`. */
export const portsIn = (file: SourceFile): ReadonlyArray<string> =>
  file.nodes
    .filter(
      (node) =>
        node.type === "MemberExpression" &&
        nameOf(node.object) === "Context" &&
        TAGS.has(nameOf(node.property) ?? "")
    )
    .flatMap(
      (node) => [...around(file, node)].find(({ type }) => type === "ClassDeclaration") ?? []
    )
    .flatMap(({ id }) => nameOf(id) ?? [])

/** Tables that the schema makes, without those of the list that row-level security protects. */
export const globalTables = (texts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const made = texts.flatMap((text) =>
    [...text.matchAll(/^create table ([a-z_]+)/gm)].flatMap(([, name]) => name ?? [])
  )
  const isProtected = new Set(
    texts
      .filter((text) => text.includes("create policy own_org"))
      .flatMap((text) => [...text.matchAll(/'([a-z_]+)'[,\n]/g)].flatMap(([, name]) => name ?? []))
  )
  return made.filter((name) => !isProtected.has(name))
}
