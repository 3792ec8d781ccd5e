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

/** The words of a call: `it`, `effect` and `each` for `it.effect.each(…)(…)`. */
const wordsOf = (node: unknown): ReadonlyArray<string> => {
  if (!isNode(node)) return []
  if (node.type === "CallExpression") return wordsOf(node.callee)
  const last = nameOf(node) ?? ""
  return node.type === "MemberExpression" ? [...wordsOf(node.object), last] : [last]
}

/** The name of a test; `it.layer` names a group. */
const titleOf = (node: Node): string | undefined => {
  const [first = "", ...others] = node.type === "CallExpression" ? wordsOf(node.callee) : []
  return TESTS.has(first) && !others.includes("layer") ? literalOf(argumentsOf(node)[0]) : undefined
}

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
