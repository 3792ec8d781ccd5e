/**
 * Where a value or a type comes from, as far as the text of one file tells: from us or from a library.
 *
 * Types are not resolved. A parameter is a library's if its annotation names a type of the library, or if the library
 * calls the function without having been given a value of ours first.
 */
import { around, isNode, type Node, nameOf, type SourceFile } from "../shared/SourceFile.js"

/** Who made a value; unknown where the text does not tell. */
export type Origin = "ours" | "library" | "unknown"

const listOf = (value: unknown): ReadonlyArray<Node> =>
  Array.isArray(value) ? value.filter(isNode) : []

const isOurs = (specifier: string): boolean =>
  specifier.startsWith(".") || specifier.startsWith("@attestry/")

const importOrigin = (file: SourceFile, name: string): Origin | undefined => {
  const found = file.statements.find(
    (each) =>
      each.type === "ImportDeclaration" &&
      listOf(each.specifiers).some(({ local }) => nameOf(local) === name)
  )
  if (found === undefined || !isNode(found.source)) return undefined
  return isOurs(String(found.source.value)) ? "ours" : "library"
}

const DECLARATIONS: ReadonlySet<string> = new Set([
  "ClassDeclaration",
  "FunctionDeclaration",
  "TSInterfaceDeclaration",
  "TSTypeAliasDeclaration",
  "TSTypeParameter"
])

const nameIn = ({ id, name }: Node): string | undefined =>
  nameOf(id) ?? (typeof name === "string" ? name : nameOf(name))

const isDeclared = (file: SourceFile, name: string): boolean =>
  file.nodes.some((node) => DECLARATIONS.has(node.type) && nameIn(node) === name)

/** The expression that a chain of calls, members and casts begins with. */
const rootOf = (node: Node): Node => {
  const inner = [node.callee, node.object, node.expression, node.tag].find(isNode)
  return inner === undefined || node.type === "Identifier" ? node : rootOf(inner)
}

const leftmost = (name: unknown): string | undefined =>
  isNode(name) && name.type === "TSQualifiedName" ? leftmost(name.left) : nameOf(name)

const NAMED_TYPES: ReadonlySet<string> = new Set(["TSTypeReference", "TSTypeQuery"])

/** Who declares a type: a literal type is ours, a word of the language is not. */
export const typeOrigin = (file: SourceFile, type: unknown): Origin => {
  if (!isNode(type)) return "unknown"
  if (type.type === "TSIndexedAccessType") return typeOrigin(file, type.objectType)
  if (type.type === "TSTypeLiteral") return "ours"
  if (!NAMED_TYPES.has(type.type)) return "library"
  const name = leftmost(type.typeName ?? type.exprName)
  if (name === undefined) return "unknown"
  return importOrigin(file, name) ?? (isDeclared(file, name) ? "ours" : "library")
}

const annotationOf = ({ typeAnnotation }: Node): unknown =>
  isNode(typeAnnotation) ? typeAnnotation.typeAnnotation : undefined

/** Whether a parameter, or a pattern in its place, binds a name. */
const binds = (parameter: Node, name: string): boolean =>
  nameOf(parameter) === name ||
  listOf(parameter.properties).some(({ value }) => isNode(value) && nameOf(value) === name)

const parameterOrigin = (file: SourceFile, holder: Node, parameter: Node): Origin => {
  const annotation = annotationOf(parameter)
  if (annotation !== undefined) return typeOrigin(file, annotation)
  const call = file.parentOf(holder)
  if (call === undefined || call.type !== "CallExpression") return "unknown"
  return listOf(call.arguments)[0] === holder ? originOf(file, call) : "unknown"
}

/** Who made the value of an expression. */
export const originOf = (file: SourceFile, node: Node): Origin => {
  const root = rootOf(node)
  if (root.type === "ObjectExpression" || root.type === "ArrayExpression") return "ours"
  const name = nameOf(root)
  if (name === undefined) return "unknown"
  for (const holder of around(file, root)) {
    const parameter = listOf(holder.params).find((each) => binds(each, name))
    if (parameter !== undefined) return parameterOrigin(file, holder, parameter)
  }
  const imported = importOrigin(file, name)
  if (imported !== undefined) return imported
  if (isDeclared(file, name)) return "ours"
  const declared = file.nodes.find(
    (each) => each.type === "VariableDeclarator" && nameOf(each.id) === name && each.init !== root
  )
  if (declared === undefined || !isNode(declared.init)) return "unknown"
  // WHY: a name that its own initial value mentions would be followed for ever.
  if ([...around(file, root)].includes(declared)) return "unknown"
  return originOf(file, declared.init)
}
