/**
 * How long files, lines and functions are, and how many parameters a function has.
 *
 * A function's length is its own: one inside it that has a name or a block is measured by itself, so that a
 * service is not as long as everything it holds.
 */
import { at, type Finding } from "../shared/Finding.js"
import { children, isNode, type Node, nameOf, type SourceFile } from "../shared/SourceFile.js"

/** Lines of a source file. */
export const SOURCE_LINES_MAX = 400
/** Lines of a test file. */
export const TEST_LINES_MAX = 600
/** Characters of a line. */
export const LINE_WIDTH_MAX = 120
/** Lines of a function, without the functions inside it. */
export const FUNCTION_LINES_MAX = 60
/** Parameters of a function; more become one object. */
export const PARAMETERS_MAX = 3

/** Files that are too long. */
export const fileLength = (file: SourceFile, linesMax: number): ReadonlyArray<Finding> =>
  file.lines.length > linesMax
    ? [at(file, file.lines.length, `has more than ${linesMax} lines`)]
    : []

/** Lines that are too wide. */
export const lineWidth = (file: SourceFile): ReadonlyArray<Finding> =>
  file.lines.flatMap((line, index) =>
    [...line].length > LINE_WIDTH_MAX
      ? [at(file, index + 1, `is wider than ${LINE_WIDTH_MAX} characters`)]
      : []
  )

const FUNCTIONS: ReadonlySet<string> = new Set([
  "FunctionDeclaration",
  "FunctionExpression",
  "ArrowFunctionExpression",
  "ObjectMethod",
  "ClassMethod"
])

const NAMING: ReadonlySet<string> = new Set([
  "VariableDeclarator",
  "ObjectProperty",
  "ClassProperty"
])

const isFunction = ({ type }: Node): boolean => FUNCTIONS.has(type)

const linesOf = ({ loc }: Node): number => loc.end.line - loc.start.line + 1

/** Whether a call gives the function in it a name: `Effect.fn("Flows.put")(…)`. */
const isNamingCall = ({ type, callee }: Node): boolean =>
  type === "CallExpression" && isNode(callee) && nameOf(callee.callee) === "fn"

/** Whether a function inside another is measured by itself: it has a name or a block. */
const standsAlone = (node: Node, holder: Node): boolean =>
  isFunction(node) &&
  (NAMING.has(holder.type) ||
    isNamingCall(holder) ||
    (isNode(node.body) && node.body.type === "BlockStatement"))

/** The lines that belong to functions inside a node which are measured by themselves. */
const heldLines = (node: Node): number =>
  children(node)
    .map((child) => (standsAlone(child, node) ? linesOf(child) - 1 : heldLines(child)))
    .reduce((sum, lines) => sum + lines, 0)

/** Functions that are too long. */
export const functionLength = (file: SourceFile): ReadonlyArray<Finding> =>
  file.nodes
    .filter((node) => isFunction(node) && linesOf(node) - heldLines(node) > FUNCTION_LINES_MAX)
    .map((node) =>
      at(file, node.loc.start.line, `a function has more than ${FUNCTION_LINES_MAX} lines`)
    )

/** Functions with too many parameters. */
export const parameters = (file: SourceFile): ReadonlyArray<Finding> =>
  file.nodes
    .filter(
      (node) =>
        isFunction(node) && Array.isArray(node.params) && node.params.length > PARAMETERS_MAX
    )
    .map((node) =>
      at(file, node.loc.start.line, `a function has more than ${PARAMETERS_MAX} parameters`)
    )
