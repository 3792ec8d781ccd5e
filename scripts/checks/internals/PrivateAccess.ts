/**
 * Ways around the public interface of a library, which a minor release may break at run time. DECISIONS.md, "Only
 * public interfaces of libraries"
 */
import { at, type Finding } from "../shared/Finding.js"
import { importsOf } from "../shared/Imports.js"
import { isNode, literalOf, type Node, nameOf, type SourceFile } from "../shared/SourceFile.js"
import { originOf, typeOrigin } from "./Origin.js"

const isUnknownCast = (node: unknown): node is Node =>
  isNode(node) &&
  node.type === "TSAsExpression" &&
  isNode(node.typeAnnotation) &&
  node.typeAnnotation.type === "TSUnknownKeyword"

/** `value as unknown as Type`, where the value or the type is not ours. */
export const forcedCasts = (file: SourceFile): ReadonlyArray<Finding> =>
  file.nodes.flatMap((node) => {
    const { expression, typeAnnotation, type } = node
    if (type !== "TSAsExpression" || !isUnknownCast(expression)) return []
    const value = expression.expression
    const isForced =
      typeOrigin(file, typeAnnotation) !== "ours" ||
      (isNode(value) && originOf(file, value) === "library")
    return isForced
      ? [at(file, node.loc.start.line, "casts through `unknown` to or from a library")]
      : []
  })

const isPrivate = (name: string | undefined): name is string =>
  name?.startsWith("_") === true && name !== "_" && name !== "_tag"

const memberOf = ({ computed, property }: Node): string | undefined =>
  computed === true ? literalOf(property) : nameOf(property)

const readMembers = (file: SourceFile, node: Node): ReadonlyArray<string> => {
  if (node.type === "MemberExpression" || node.type === "OptionalMemberExpression") {
    const name = memberOf(node)
    return isPrivate(name) && isNode(node.object) && originOf(file, node.object) === "library"
      ? [name]
      : []
  }
  const { id, init } = node
  if (node.type !== "VariableDeclarator" || !isNode(id) || !isNode(init)) return []
  if (!Array.isArray(id.properties) || originOf(file, init) !== "library") return []
  return id.properties
    .filter(isNode)
    .map(({ key }) => nameOf(key))
    .filter(isPrivate)
}

/** Members with a name that begins with `_`, read off a value of a library. */
export const privateMembers = (file: SourceFile): ReadonlyArray<Finding> =>
  file.nodes.flatMap((node) =>
    readMembers(file, node).map((name) =>
      at(file, node.loc.start.line, `reads \`${name}\` of a library's value`)
    )
  )

/** The module with which the state of a fiber or a runtime is taken apart and put together again. */
export const fiberState = (file: SourceFile): ReadonlyArray<Finding> =>
  importsOf(file)
    .filter(({ specifier }) => specifier === "effect/FiberRefs")
    .map(({ specifier, line }) => at(file, line, `imports \`${specifier}\``))

/** Globals that a file declares for itself, which the compiler's platform types do not have. */
export const declaredGlobals = (file: SourceFile): ReadonlyArray<Finding> =>
  file.nodes
    .filter(({ type, declare }) => type === "VariableDeclaration" && declare === true)
    .flatMap(({ declarations }) => (Array.isArray(declarations) ? declarations.filter(isNode) : []))
    .map(({ id, loc }) => at(file, loc.start.line, `declares the global \`${nameOf(id)}\``))
