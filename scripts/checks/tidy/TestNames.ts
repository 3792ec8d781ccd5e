/** Names of tests: sentences about behaviour, in the indicative. */
import { at, type Finding } from "../shared/Finding.js"
import {
  argumentsOf,
  isNode,
  literalOf,
  type Node,
  nameOf,
  type SourceFile
} from "../shared/SourceFile.js"

const TESTS: ReadonlySet<string> = new Set(["it", "test"])

/** The word that a call begins with: `it` for `it.effect.each(…)(…)`. */
const beginning = (node: unknown): string | undefined => {
  if (!isNode(node)) return undefined
  if (node.type === "MemberExpression") return beginning(node.object)
  return node.type === "CallExpression" ? beginning(node.callee) : nameOf(node)
}

const titleOf = (node: Node): string | undefined =>
  node.type === "CallExpression" && TESTS.has(beginning(node.callee) ?? "")
    ? literalOf(argumentsOf(node)[0])
    : undefined

/** Tests whose name is a wish, or no sentence at all. */
export const testNames = (file: SourceFile): ReadonlyArray<Finding> =>
  file.nodes.flatMap((node) => {
    const title = titleOf(node)
    if (title === undefined) return []
    const isWish = /^should\b/i.test(title)
    return isWish || !title.trim().includes(" ")
      ? [at(file, node.loc.start.line, `has a test called "${title}"`)]
      : []
  })
