/**
 * One TypeScript file, read once: its lines, its comments and its syntax tree.
 *
 * The tree comes from a parser in plain JavaScript, because the compiler of this workspace has no
 * programming interface of its own. Types are not resolved; no check here needs them.
 */
import { parse as parseText } from "@babel/parser"
import type { TextFile } from "./Repository.js"

/** A node of the syntax tree; which further properties it has depends on its type. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly loc: { readonly start: { readonly line: number }; readonly end: { readonly line: number } }
  readonly [property: string]: unknown
}

/** A comment without its delimiters. */
export interface Comment {
  readonly kind: "line" | "block"
  readonly text: string
  readonly start: number
  readonly end: number
  readonly firstLine: number
  readonly lastLine: number
}

/** A file that has been parsed. */
export interface SourceFile extends TextFile {
  readonly lines: ReadonlyArray<string>
  readonly comments: ReadonlyArray<Comment>
  readonly statements: ReadonlyArray<Node>
}

/** An import or re-export: what is named, and where from. */
export interface Import {
  readonly specifier: string
  readonly line: number
  /** Whether nothing of it is left when the types are gone. */
  readonly typeOnly: boolean
}

/** Whether a value is a node of the tree. */
export const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && "loc" in value

/** The children of a node, in the order of the text. */
export const children = (node: Node): ReadonlyArray<Node> =>
  Object.entries(node)
    .filter(([property]) => property !== "loc" && !property.endsWith("Comments"))
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]))
    .filter(isNode)

/** Reads a file; throws where the text is not TypeScript. */
export const parse = ({ path, text }: TextFile): SourceFile => {
  const file = parseText(text, {
    sourceType: "module",
    sourceFilename: path,
    attachComment: false,
    plugins: ["typescript"]
  })
  return {
    path,
    text,
    lines: text.replace(/\n$/, "").split("\n"),
    statements: file.program.body as unknown as ReadonlyArray<Node>,
    comments: (file.comments ?? []).map((comment) => ({
      kind: comment.type === "CommentLine" ? "line" : "block",
      text: comment.value,
      start: comment.start ?? 0,
      end: comment.end ?? 0,
      firstLine: comment.loc?.start.line ?? 0,
      lastLine: comment.loc?.end.line ?? 0
    }))
  }
}

/** Every node of a file with the nodes around it, outermost first. */
export function* walk(
  nodes: ReadonlyArray<Node>,
  around: ReadonlyArray<Node> = []
): Generator<{ readonly node: Node; readonly around: ReadonlyArray<Node> }> {
  for (const node of nodes) {
    yield { node, around }
    yield* walk(children(node), [...around, node])
  }
}

const sourceOf = (node: Node): string | undefined =>
  isNode(node.source) && typeof node.source.value === "string" ? node.source.value : undefined

const isTypeOnly = (node: Node): boolean => {
  if (node.importKind === "type" || node.exportKind === "type") return true
  const specifiers = Array.isArray(node.specifiers) ? node.specifiers.filter(isNode) : []
  return specifiers.length > 0 && specifiers.every((each) => each.importKind === "type")
}

/** Every module that a file imports or re-exports, also with `import()` and `import("…")` types. */
export const imports = (file: SourceFile): ReadonlyArray<Import> =>
  [...walk(file.statements)].flatMap(({ node }) => {
    const line = node.loc.start.line
    const specifier = sourceOf(node)
    if (specifier !== undefined) return [{ specifier, line, typeOnly: isTypeOnly(node) }]
    const [argument] = [node.arguments, node.argument].flat().filter(isNode)
    const dynamic = node.type === "TSImportType" || (isNode(node.callee) && node.callee.type === "Import")
    return dynamic && typeof argument?.value === "string"
      ? [{ specifier: argument.value, line, typeOnly: node.type === "TSImportType" }]
      : []
  })
