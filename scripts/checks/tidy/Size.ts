/**
 * How long files, lines and functions are, and how many parameters a function has.
 *
 * A function's length is its own: a function with a block that stands inside it is measured by itself, so
 * that a service or a `describe` is not as long as everything it holds.
 */
import { at, type Finding } from "../shared/Finding.js"
import { children, isNode, type Node, type SourceFile, walk } from "../shared/SourceFile.js"

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

const isFunction = ({ type }: Node): boolean =>
  type === "FunctionDeclaration" ||
  type === "FunctionExpression" ||
  type === "ArrowFunctionExpression" ||
  type === "ObjectMethod" ||
  type === "ClassMethod"

const hasBlock = (node: Node): boolean =>
  isFunction(node) && isNode(node.body) && node.body.type === "BlockStatement"

const linesOf = ({ loc }: Node): number => loc.end.line - loc.start.line + 1

/** The lines strictly inside the blocks of the functions that a node holds. */
const heldLines = (node: Node): number =>
  children(node)
    .map((child) =>
      hasBlock(child) && isNode(child.body) ? Math.max(0, linesOf(child.body) - 2) : heldLines(child)
    )
    .reduce((sum, lines) => sum + lines, 0)

/** Functions that are too long. */
export const functionLength = (file: SourceFile): ReadonlyArray<Finding> =>
  [...walk(file.statements)]
    .filter(({ node }) => isFunction(node) && linesOf(node) - heldLines(node) > FUNCTION_LINES_MAX)
    .map(({ node }) =>
      at(file, node.loc.start.line, `a function has more than ${FUNCTION_LINES_MAX} lines`)
    )

/** Functions with too many parameters. */
export const parameters = (file: SourceFile): ReadonlyArray<Finding> =>
  [...walk(file.statements)]
    .filter(
      ({ node }) =>
        isFunction(node) && Array.isArray(node.params) && node.params.length > PARAMETERS_MAX
    )
    .map(({ node }) =>
      at(file, node.loc.start.line, `a function has more than ${PARAMETERS_MAX} parameters`)
    )
