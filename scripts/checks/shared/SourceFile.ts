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
  readonly loc: {
    readonly start: { readonly line: number }
    readonly end: { readonly line: number }
  }
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
  /** Every node, each after the one that holds it. */
  readonly nodes: ReadonlyArray<Node>
  /** The node that holds this one; none for a statement of the file itself. */
  readonly parentOf: (node: Node) => Node | undefined
}

/** Whether a value is a node of the tree. */
export const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && "loc" in value

/** The children of a node, in the order of the text. */
export const children = (node: Node): ReadonlyArray<Node> => {
  const found: Array<Node> = []
  for (const property in node) {
    const value = node[property]
    if (Array.isArray(value)) found.push(...value.filter(isNode))
    else if (isNode(value)) found.push(value)
  }
  return found
}

const commentsOf = (comments: ReturnType<typeof parseText>["comments"]): ReadonlyArray<Comment> =>
  (comments ?? []).map((comment) => ({
    kind: comment.type === "CommentLine" ? "line" : "block",
    text: comment.value,
    start: comment.start ?? 0,
    end: comment.end ?? 0,
    firstLine: comment.loc?.start.line ?? 0,
    lastLine: comment.loc?.end.line ?? 0
  }))

/** Reads a file; throws where the text is not TypeScript. */
export const parse = ({ path, text }: TextFile): SourceFile => {
  const { program, comments } = parseText(text, {
    sourceType: "module",
    sourceFilename: path,
    attachComment: false,
    plugins: path.endsWith(".tsx") ? ["typescript", "jsx"] : ["typescript"]
  })
  const statements: ReadonlyArray<unknown> = program.body
  const nodes = statements.filter(isNode)
  const parents = new WeakMap<Node, Node>()
  // INVARIANT: the list grows while it is read, so that every node is visited once.
  for (const node of nodes) {
    for (const child of children(node)) {
      parents.set(child, node)
      nodes.push(child)
    }
  }
  return {
    path,
    text,
    lines: text.replace(/\n$/, "").split("\n"),
    statements: statements.filter(isNode),
    comments: commentsOf(comments),
    nodes,
    parentOf: (node) => parents.get(node)
  }
}

/** The nodes around a node, innermost first. */
export function* around(file: SourceFile, node: Node): Generator<Node> {
  for (let each = file.parentOf(node); each !== undefined; each = file.parentOf(each)) yield each
}

/** The text of a node on one line. */
export const textOf = (file: SourceFile, node: Node): string =>
  file.text.slice(node.start, node.end).replaceAll(/\s+/g, " ")

/** The name that a node is or ends in: `catchAll` for `Effect.catchAll`; undefined for anything else. */
export const nameOf = (node: unknown): string | undefined => {
  if (!isNode(node)) return undefined
  if (node.type === "Identifier" && typeof node.name === "string") return node.name
  return node.type === "MemberExpression" && node.computed !== true
    ? nameOf(node.property)
    : undefined
}

/** The text of a string, or of a template without anything to fill in. */
export const literalOf = (node: unknown): string | undefined => {
  if (!isNode(node)) return undefined
  if (node.type === "StringLiteral") return String(node.value)
  if (node.type !== "TemplateLiteral" || !Array.isArray(node.quasis)) return undefined
  const [only, ...rest] = node.quasis
  return rest.length === 0 ? String(only.value.cooked) : undefined
}

/** The arguments of a call; none for anything else. */
export const argumentsOf = (node: Node): ReadonlyArray<Node> =>
  Array.isArray(node.arguments) ? node.arguments.filter(isNode) : []
