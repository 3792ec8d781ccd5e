/** What a file imports or re-exports, in every spelling the language has for it. */
import { posix } from "node:path"
import { argumentsOf, isNode, literalOf, type Node, type SourceFile } from "./SourceFile.js"

/** One import: what is named, and where. */
export interface Import {
  readonly specifier: string
  readonly line: number
  /** Whether nothing of it is left when the types are gone. */
  readonly typeOnly: boolean
}

const isTypeOnly = (node: Node): boolean => {
  if (node.importKind === "type" || node.exportKind === "type") return true
  const specifiers = Array.isArray(node.specifiers) ? node.specifiers.filter(isNode) : []
  return specifiers.length > 0 && specifiers.every((each) => each.importKind === "type")
}

const DECLARATIONS: ReadonlySet<string> = new Set([
  "ImportDeclaration",
  "ExportNamedDeclaration",
  "ExportAllDeclaration"
])

const importOf = (node: Node): Import | undefined => {
  const line = node.loc.start.line
  if (DECLARATIONS.has(node.type)) {
    const specifier = literalOf(node.source)
    return specifier === undefined ? undefined : { specifier, line, typeOnly: isTypeOnly(node) }
  }
  if (node.type === "TSImportType") {
    const specifier = literalOf(node.argument)
    return specifier === undefined ? undefined : { specifier, line, typeOnly: true }
  }
  const isDynamic = isNode(node.callee) && node.callee.type === "Import"
  const specifier = isDynamic ? literalOf(argumentsOf(node)[0]) : undefined
  return specifier === undefined ? undefined : { specifier, line, typeOnly: false }
}

/** Every module that a file names, in the order of the text. */
export const importsOf = (file: SourceFile): ReadonlyArray<Import> =>
  file.nodes.flatMap((node) => importOf(node) ?? []).sort((a, b) => a.line - b.line)

/** The file that a relative import names. */
export const resolve = (from: string, specifier: string): string | undefined =>
  specifier.startsWith(".")
    ? posix.join(posix.dirname(from), specifier).replace(/\.js$/, ".ts")
    : undefined
