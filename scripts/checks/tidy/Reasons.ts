/**
 * Constructs that need a reason next to them: swallowed failures and claims about types.
 *
 * A reason is a comment with `WHY:` on the same line, in the three lines above it or above its statement, or
 * in the doc block of the declaration.
 */
import { at, type Finding } from "../shared/Finding.js"
import { around, isNode, type Node, nameOf, type SourceFile } from "../shared/SourceFile.js"
import { docOf } from "./Documentation.js"

/** A reason stands at most this many lines above what it explains. */
export const REASON_LINES_MAX = 3

const SWALLOWING: ReadonlySet<string> = new Set([
  "orDie",
  "orDieWith",
  "catchAll",
  "catchAllCause",
  "catchAllDefect"
])

/** The last line of each comment with a reason; line comments that follow one another are one comment. */
const reasonLines = (file: SourceFile): ReadonlyArray<number> => {
  const lines: Array<number> = []
  let isReason = false
  let previousLine = Number.NaN
  for (const { kind, text, firstLine, lastLine } of file.comments) {
    const continues = kind === "line" && firstLine === previousLine + 1
    isReason = text.includes("WHY:") || (continues && isReason)
    if (isReason) lines.push(lastLine)
    previousLine = kind === "line" ? lastLine : Number.NaN
  }
  return lines
}

/** The line on which the innermost statement around a node begins. */
const statementLine = (file: SourceFile, node: Node): number => {
  for (const each of around(file, node)) {
    if (/Statement$|Declaration$/.test(each.type)) return each.loc.start.line
  }
  return node.loc.start.line
}

const isExplained = (file: SourceFile, node: Node, line: number): boolean => {
  const lines = [line, node.loc.start.line, statementLine(file, node)]
  return (
    reasonLines(file).some((reason) =>
      lines.some((each) => reason <= each && each - reason <= REASON_LINES_MAX)
    ) ||
    [node, ...around(file, node)].some((each) => docOf(file, each)?.text.includes("WHY:") === true)
  )
}

/** Failures that are swallowed or turned into defects without a reason. */
export const swallowedFailures = (file: SourceFile): ReadonlyArray<Finding> =>
  file.nodes
    .filter(
      (node) =>
        node.type === "Identifier" &&
        SWALLOWING.has(nameOf(node) ?? "") &&
        !isExplained(file, node, node.loc.start.line)
    )
    .map((node) => at(file, node.loc.start.line, `uses \`${nameOf(node)}\` without a reason`))

const isConstAssertion = ({ typeAnnotation }: Node): boolean =>
  isNode(typeAnnotation) &&
  typeAnnotation.type === "TSTypeReference" &&
  nameOf(typeAnnotation.typeName) === "const"

/** Types that are claimed without a reason; `as const` claims nothing. */
export const claimedTypes = (file: SourceFile): ReadonlyArray<Finding> =>
  file.nodes.flatMap((node) => {
    if (node.type !== "TSAsExpression" && node.type !== "TSTypeAssertion") return []
    if (isConstAssertion(node) || !isNode(node.typeAnnotation)) return []
    const line = node.typeAnnotation.loc.start.line
    return isExplained(file, node, line) ? [] : [at(file, line, "claims a type without a reason")]
  })
