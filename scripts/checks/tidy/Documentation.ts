/**
 * Comments that must be there (a block at the top, a sentence on every export), and comments that must not:
 * code that somebody switched off.
 */
import { parse as parseText } from "@babel/parser"
import { at, type Finding } from "../shared/Finding.js"
import { type Comment, isNode, type Node, type SourceFile } from "../shared/SourceFile.js"

/** Lines of text in the block that opens a file. */
export const HEADER_LINES_MAX = 6

const isDoc = (comment: Comment): boolean =>
  comment.kind === "block" && comment.text.startsWith("*") && /[A-Za-z]/.test(comment.text)

const contentLines = (comment: Comment): number =>
  comment.text
    .split("\n")
    .filter((line, index, { length }) => /\w/.test(line) || (index > 0 && index < length - 1))
    .length

/** Files that do not open with a doc block of one to six lines; a line for the shell may precede it. */
export const header = (file: SourceFile): ReadonlyArray<Finding> => {
  const shell = /^#!.*\n/.exec(file.text)?.[0].length ?? 0
  const first = file.comments.find(({ start }) => start >= shell)
  if (first === undefined || first.start !== shell || !isDoc(first)) {
    return [at(file, 1, "does not open with a doc block")]
  }
  return contentLines(first) > HEADER_LINES_MAX
    ? [at(file, 1, `opens with a block of more than ${HEADER_LINES_MAX} lines`)]
    : []
}

/** The doc block right before a node. */
export const docOf = (file: SourceFile, node: Node): Comment | undefined =>
  file.comments.findLast(
    (comment) =>
      comment.end <= node.start &&
      isDoc(comment) &&
      !/\S/.test(file.text.slice(comment.end, node.start))
  )

/** Exports without a sentence; generated barrels have none by design and are not asked. */
export const exportDocs = (file: SourceFile): ReadonlyArray<Finding> =>
  file.statements
    .filter(
      (node) =>
        (node.type === "ExportNamedDeclaration" ||
          node.type === "ExportDefaultDeclaration" ||
          node.type === "ExportAllDeclaration" ||
          node.type === "TSExportAssignment") &&
        docOf(file, node) === undefined
    )
    .map((node) => at(file, node.loc.start.line, "exports without a doc comment"))

const CODE: ReadonlySet<string> = new Set([
  "VariableDeclaration",
  "FunctionDeclaration",
  "ClassDeclaration",
  "ImportDeclaration",
  "ExportNamedDeclaration",
  "ReturnStatement",
  "IfStatement",
  "ForOfStatement",
  "ThrowStatement",
  "BlockStatement"
])

const isCode = (node: Node, text: string): boolean => {
  if (CODE.has(node.type)) return true
  const { expression } = node
  if (!isNode(expression)) return false
  const closed = !/\s[({]/.test(text)
  return (
    expression.type === "AssignmentExpression" ||
    expression.type === "AwaitExpression" ||
    expression.type === "YieldExpression" ||
    (expression.type === "CallExpression" && closed)
  )
}

const statementsIn = (text: string): ReadonlyArray<Node> => {
  try {
    const { program } = parseText(text, { sourceType: "module", plugins: ["typescript"] })
    const statements: ReadonlyArray<unknown> = program.body
    return statements.filter(isNode)
  } catch {
    return []
  }
}

/** A line may be a statement of a module or of a generator. */
const readsAsCode = (text: string): boolean => {
  const [generator] = statementsIn(`async function* f() { ${text}\n}`)
  const body = isNode(generator?.body) ? generator.body.body : undefined
  const inside = Array.isArray(body) ? body.filter(isNode) : []
  return [...statementsIn(text), ...inside].some((node) => isCode(node, text))
}

/** Comments that are statements: prose does not parse, code does. */
export const switchedOffCode = (file: SourceFile): ReadonlyArray<Finding> =>
  file.comments
    .filter((comment) => !isDoc(comment))
    .flatMap((comment) =>
      comment.text
        .split("\n")
        .map((line, index) => ({
          text: line.replace(/^[\s*]+/, "").trim(),
          line: comment.firstLine + index
        }))
        .filter(({ text }) => text !== "" && readsAsCode(text))
        .map(({ line }) => at(file, line, "has code in a comment"))
    )
