/**
 * Whether an expression can only be text that stands in the source: a literal, a constant in capitals, a
 * parameter whose type is a list of literals, or anything put together from these.
 *
 * Regular expressions and SQL are built from such text or not at all.
 */
import {
  argumentsOf,
  around,
  isNode,
  type Node,
  nameOf,
  type SourceFile
} from "../shared/SourceFile.js"

const CAPITALS = /^[A-Z][A-Z0-9_]*$/

/** Functions of the database driver that quote what they are given. */
const QUOTING: ReadonlySet<string> = new Set(["escapeIdentifier", "escapeLiteral"])

const nodesIn = (value: unknown): ReadonlyArray<Node> =>
  Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []

const isLiteralType = (type: unknown): boolean =>
  isNode(type) &&
  (type.type === "TSLiteralType" ||
    (type.type === "TSUnionType" && nodesIn(type.types).every(isLiteralType)))

const annotationOf = (parameter: Node): unknown =>
  isNode(parameter.typeAnnotation) ? parameter.typeAnnotation.typeAnnotation : undefined

const declarators = (node: Node): ReadonlyArray<Node> => {
  const declaration = isNode(node.declaration) ? node.declaration : node
  return declaration.type === "VariableDeclaration" && declaration.kind === "const"
    ? nodesIn(declaration.declarations)
    : []
}

/** Whether a name has a constant value in one of the nodes around it; undefined if that node does not bind it. */
const boundIn = (file: SourceFile, name: string, scope: Node): boolean | undefined => {
  const parameter = nodesIn(scope.params).find((each) => nameOf(each) === name)
  if (parameter !== undefined) return isLiteralType(annotationOf(parameter))
  if (scope.type === "ForOfStatement" && isNode(scope.left) && isNode(scope.right)) {
    const bound = nodesIn(scope.left.declarations).some((each) => nameOf(each.id) === name)
    return bound ? isConstant(file, scope.right) : undefined
  }
  const statements = scope.type === "BlockStatement" ? nodesIn(scope.body) : []
  const local = statements.flatMap(declarators).find((each) => nameOf(each.id) === name)
  return local === undefined ? undefined : isNode(local.init) && isConstant(file, local.init)
}

const isBoundToConstant = (file: SourceFile, name: string, node: Node): boolean => {
  for (const scope of around(file, node)) {
    const bound = boundIn(file, name, scope)
    if (bound !== undefined) return bound
  }
  const local = file.statements.flatMap(declarators).find((each) => nameOf(each.id) === name)
  return isNode(local?.init) && isConstant(file, local.init)
}

/** Whether nothing from outside can be in the value of an expression. */
export const isConstant = (file: SourceFile, node: Node): boolean => {
  const all = (...values: ReadonlyArray<unknown>) =>
    values.flatMap(nodesIn).every((each) => isConstant(file, each))
  switch (node.type) {
    case "StringLiteral":
    case "NumericLiteral":
    case "RegExpLiteral":
    case "TemplateElement":
      return true
    case "TemplateLiteral":
      return all(node.expressions)
    case "ArrayExpression":
      return all(node.elements)
    case "BinaryExpression":
      return all(node.left, node.right)
    case "ConditionalExpression":
      return all(node.consequent, node.alternate)
    case "TSAsExpression":
      return all(node.expression)
    case "CallExpression":
      return QUOTING.has(nameOf(node.callee) ?? "") && argumentsOf(node).length === 1
    case "Identifier":
    case "MemberExpression": {
      // A computed member of a constant is a row of a table.
      const name = nameOf(node.computed === true ? node.object : node) ?? ""
      return (
        CAPITALS.test(name) || (node.type === "Identifier" && isBoundToConstant(file, name, node))
      )
    }
    default:
      return false
  }
}
