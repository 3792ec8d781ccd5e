/**
 * Encodes answers: what is the wire's form already is passed on as it stands, part by part, and only the rest
 * is encoded by its schema.
 *
 * WHY: an answer is mostly plain values by far; looking costs a fraction of building all of it once more.
 * Fields that a schema does not know are left out, as encoding leaves them out.
 */
import * as SchemaFastPath from "@attestry/core/SchemaFastPath"
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"

type Encode = (value: unknown) => unknown

const isMembers = (value: unknown): value is { readonly [name: PropertyKey]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Member by member; what lacks a member is left to the schema, which says so. */
const membersEncoder = (ast: SchemaAST.TypeLiteral, whole: Encode): Encode => {
  const members = ast.propertySignatures.map(({ name, isOptional, type }) => ({
    name,
    isOptional,
    encode: make(type)
  }))
  return (value) => {
    if (!isMembers(value)) return whole(value)
    const encoded: Array<readonly [PropertyKey, unknown]> = []
    for (const { name, isOptional, encode } of members) {
      if (Object.hasOwn(value, name)) encoded.push([name, encode(value[name])])
      else if (!isOptional) return whole(value)
    }
    return Object.fromEntries(encoded)
  }
}

const partsEncoder = (ast: SchemaAST.AST, whole: Encode): Encode => {
  if (ast._tag === "TypeLiteral" && ast.indexSignatures.length === 0) {
    return membersEncoder(ast, whole)
  }
  if (ast._tag !== "TupleType" || ast.elements.length > 0) return whole
  const [item, ...more] = ast.rest
  if (item === undefined || more.length > 0) return whole
  const encode = make(item.type)
  return (value) => (Array.isArray(value) ? value.map(encode) : whole(value))
}

/** What encodes the values of a schema. */
export const make = (ast: SchemaAST.AST): Encode => {
  const schema = Schema.make<unknown, unknown, never>(ast)
  const isPlain = SchemaFastPath.make(schema)
  const byParts = partsEncoder(ast, Schema.encodeSync(schema))
  return (value) => (isPlain(value) ? value : byParts(value))
}
