/**
 * Schemas of the contract with `DateTime.Utc` for its instants, which are whole microseconds inside the server.
 *
 * WHY after the schema and not inside it: filters of the contract compare its own instants.
 */
import * as Dictionary from "@attestry/core/Dictionary"
import * as TextProblems from "@attestry/core/TextProblems"
import * as Timestamp from "@attestry/core/Timestamp"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"

const Utc = Schema.transform(Schema.typeSchema(Timestamp.Timestamp), Schema.DateTimeUtcFromSelf, {
  strict: true,
  decode: (instant) => DateTime.unsafeMake(Math.round(instant / 1000)),
  encode: (utc) => Timestamp.fromMillis(DateTime.toEpochMillis(utc))
})

const isInstant = (ast: SchemaAST.AST): boolean => {
  const brands: unknown = ast.annotations[SchemaAST.BrandAnnotationId]
  return Array.isArray(brands) && brands.includes("Timestamp")
}

const literal = (ast: SchemaAST.TypeLiteral): SchemaAST.AST | undefined => {
  const types = ast.propertySignatures.map(({ type }) => converted(type))
  const members = ast.indexSignatures.map(({ type }) => converted(type))
  if ([...types, ...members].every((type) => type === undefined)) return undefined
  const signatures = ast.propertySignatures.map(
    ({ name, type, isOptional, isReadonly }, index) =>
      new SchemaAST.PropertySignature(name, types[index] ?? type, isOptional, isReadonly)
  )
  const records = ast.indexSignatures.map(
    ({ parameter, type, isReadonly }, index) =>
      new SchemaAST.IndexSignature(parameter, members[index] ?? type, isReadonly)
  )
  return new SchemaAST.TypeLiteral(signatures, records)
}

const items = (ast: SchemaAST.TupleType): SchemaAST.AST | undefined => {
  const [rest, ...others] = ast.rest
  if (rest === undefined || others.length > 0 || ast.elements.length > 0) return undefined
  const type = converted(rest.type)
  return type === undefined
    ? undefined
    : new SchemaAST.TupleType([], [new SchemaAST.Type(type)], ast.isReadonly)
}

/** WHY not a record of the library: it loses a member called `__proto__`. */
const dictionary = (ast: SchemaAST.AST): SchemaAST.AST | undefined => {
  const value = Option.map(TextProblems.dictionaryValue(ast), SchemaAST.typeAST)
  const own = Option.isSome(value) ? converted(value.value) : undefined
  return own === undefined
    ? undefined
    : Dictionary.make({ key: Schema.String, value: Schema.make(own), members: {} }).ast
}

/** A transformation from a type of the contract; undefined where the type has no instants. */
const converted = (ast: SchemaAST.AST): SchemaAST.AST | undefined => {
  if (isInstant(ast)) return Utc.ast
  switch (ast._tag) {
    case "TypeLiteral":
      return literal(ast)
    case "TupleType":
      return items(ast)
    case "Refinement":
      return converted(ast.from)
    case "Declaration":
      return dictionary(ast)
    case "Union": {
      const types = ast.types.map(converted)
      return types.every((type) => type === undefined)
        ? undefined
        : SchemaAST.Union.make(ast.types.map((type, index) => types[index] ?? type))
    }
    default:
      return undefined
  }
}

/** The schema with `DateTime.Utc` for its instants; the same schema where it has none. */
export const asUtc = (schema: Schema.Schema<unknown, unknown>): Schema.Schema<unknown, unknown> => {
  const own = converted(SchemaAST.typeAST(schema.ast))
  return own === undefined
    ? schema
    : Schema.compose(schema, Schema.make<unknown, unknown, never>(own), { strict: false })
}
