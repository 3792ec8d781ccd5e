/**
 * The description of a parameter in the contract.
 *
 * WHY from the contract: the framework leaves the description out where a schema has a `jsonSchema` annotation.
 */
import * as Option from "effect/Option"
import * as SchemaAST from "effect/SchemaAST"
import type { Route } from "../../shared/internal/RouteTable.js"

/** The fields of a schema, below its refinements. */
const fieldsOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.PropertySignature> => {
  if (ast._tag === "Refinement") return fieldsOf(ast.from)
  return ast._tag === "TypeLiteral" ? ast.propertySignatures : []
}

/** The description of a parameter of a route; undefined where the contract has none. */
export const of = ({ endpoint }: Route, place: string, name: string): string | undefined => {
  const schema = place === "path" ? endpoint.pathSchema : endpoint.urlParamsSchema
  if (schema._tag === "None") return undefined
  const field = fieldsOf(schema.value.ast).find((each) => each.name === name)
  if (field === undefined) return undefined
  return SchemaAST.getDescriptionAnnotation(field).pipe(
    Option.orElse(() => SchemaAST.getDescriptionAnnotation(field.type)),
    Option.getOrUndefined
  )
}
