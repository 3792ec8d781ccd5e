/**
 * Encodes the values of responses: a part that is equal to its encoded form is returned as it is, and the rest is
 * encoded by its schema.
 *
 * WHY: most parts of a response are plain values, and a test costs less than a copy. Fields that a schema does not
 * have are left out, as `Schema.encode` leaves them out.
 */
import * as SchemaFastPath from "@attestry/core/SchemaFastPath"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"

type Encode = (value: unknown) => unknown

/** Encodes member by member; a value that lacks a member goes to the schema, which reports it. */
const membersEncoder = (ast: SchemaAST.TypeLiteral, whole: Encode): Encode => {
  const members = ast.propertySignatures.map(({ name, isOptional, type }) => ({
    name,
    isOptional,
    encode: make(type)
  }))
  return (value) => {
    if (!Predicate.isRecord(value)) return whole(value)
    const encoded: Array<readonly [PropertyKey, unknown]> = []
    for (const { name, isOptional, encode } of members) {
      if (Object.hasOwn(value, name)) encoded.push([name, encode(value[name])])
      else if (!isOptional) return whole(value)
    }
    return Object.fromEntries(encoded)
  }
}

/** Whether the members of an object stay in the order of the value. */
const keepsOrder = (ast: SchemaAST.TypeLiteral): boolean =>
  Option.exists(
    SchemaAST.getParseOptionsAnnotation(ast),
    ({ propertyOrder }) => propertyOrder === "original"
  )

/** Encodes member by member in the order of the value. */
const orderedEncoder = (ast: SchemaAST.TypeLiteral, whole: Encode): Encode => {
  const encoders = new Map(ast.propertySignatures.map(({ name, type }) => [name, make(type)]))
  const required = ast.propertySignatures.flatMap(({ name, isOptional }) =>
    isOptional ? [] : [name]
  )
  return (value) => {
    if (!Predicate.isRecord(value) || !required.every((name) => Object.hasOwn(value, name)))
      return whole(value)
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, member]) => {
        const encode = encoders.get(name)
        return encode === undefined ? [] : [[name, encode(member)]]
      })
    )
  }
}

const partsEncoder = (ast: SchemaAST.AST, whole: Encode): Encode => {
  if (ast._tag === "TypeLiteral" && ast.indexSignatures.length === 0) {
    return keepsOrder(ast) ? orderedEncoder(ast, whole) : membersEncoder(ast, whole)
  }
  if (ast._tag !== "TupleType" || ast.elements.length > 0) return whole
  const [item, ...more] = ast.rest
  if (item === undefined || more.length > 0) return whole
  const encode = make(item.type)
  return (value) => (Array.isArray(value) ? value.map(encode) : whole(value))
}

/** The encoder of a schema. */
export const make = (ast: SchemaAST.AST): Encode => {
  const schema = Schema.make<unknown, unknown, never>(ast)
  const isPlain = SchemaFastPath.make(schema)
  const byParts = partsEncoder(ast, Schema.encodeSync(schema))
  return (value) => (isPlain(value) ? value : byParts(value))
}
