/**
 * The operations of the API that a source file calls, by the text of the operation's name in an expression.
 *
 * Types, comments, keys of objects, comparisons and cases are no calls, and a name that is put together of parts is not
 * found: it needs a reason in the table.
 */
import { around, isNode, literalOf, type Node, type SourceFile } from "../shared/SourceFile.js"

/** Nodes that compare a text with another one. */
const COMPARISONS: ReadonlySet<string> = new Set(["BinaryExpression", "SwitchCase"])

/** Type-level nodes that hold an expression. */
const EXPRESSIONS: ReadonlySet<string> = new Set([
  "TSAsExpression",
  "TSSatisfiesExpression",
  "TSNonNullExpression",
  "TSInstantiationExpression"
])

const isInType = (file: SourceFile, node: Node): boolean => {
  for (const each of around(file, node))
    if (each.type.startsWith("TS") && !EXPRESSIONS.has(each.type)) return true
  return false
}

const isCalled = (file: SourceFile, node: Node): boolean => {
  const parent = file.parentOf(node)
  if (parent === undefined) return false
  if (COMPARISONS.has(parent.type) || parent.type === "ImportDeclaration") return false
  if (isNode(parent.key) && parent.key.start === node.start) return false
  return !isInType(file, node)
}

/** The operations that a file calls. */
export const callsIn = (file: SourceFile, known: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(
    file.nodes.flatMap((node) => {
      const text = literalOf(node)
      return text !== undefined && known.has(text) && isCalled(file, node) ? [text] : []
    })
  )

/** The files that call each operation. */
export const callers = (
  files: ReadonlyArray<SourceFile>,
  known: ReadonlySet<string>
): ReadonlyMap<string, ReadonlyArray<string>> => {
  const found = new Map<string, ReadonlyArray<string>>()
  for (const file of files)
    for (const name of callsIn(file, known))
      found.set(name, [...(found.get(name) ?? []), file.path])
  return found
}
