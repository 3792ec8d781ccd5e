/**
 * Whether a JSON value fits a schema as it stands, decided without building anything.
 *
 * For large bodies whose decoding changes nothing: a value that passes is its own decoded form, and one
 * that does not is left to the schema, which says why. Unknown fields never pass; a schema of a sort that is not
 * listed here lets nothing pass.
 */
import * as Option from "effect/Option"
import type * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"

type Guard = (input: unknown) => boolean

const OwnGuard: unique symbol = Symbol.for("@attestry/core/SchemaFastPath")

/** Annotation for schemas whose check cannot be read off their structure: declared ones, and transformations. */
export const guardedBy = (guard: Guard) => ({ [OwnGuard]: guard })

const nothing: Guard = () => false

const isObject = (input: unknown): input is { readonly [name: PropertyKey]: unknown } =>
  typeof input === "object" && input !== null && !Array.isArray(input)

const objectGuard = ({ propertySignatures }: SchemaAST.TypeLiteral): Guard => {
  const fields = propertySignatures.map(({ name, isOptional, type }) => ({
    name,
    isOptional,
    fits: fromAst(type),
    // WHY: every object has something under these names; under all others, what it has is its own.
    isInherited: name in Object.prototype
  }))
  return (input) => {
    if (!isObject(input)) return false
    let known = 0
    for (const { name, isOptional, fits, isInherited } of fields) {
      const value = input[name]
      if (isInherited || value === undefined ? Object.hasOwn(input, name) : true) {
        if (!fits(value)) return false
        known += 1
      } else if (!isOptional) return false
    }
    return Object.keys(input).length === known
  }
}

/** A record: every name fits its parameter, and every member its type. WHY not this name: decoding loses it. */
const recordGuard = ({ parameter, type }: SchemaAST.IndexSignature): Guard => {
  const [fitsName, fitsMember] = [fromAst(parameter), fromAst(type)]
  return (input) =>
    isObject(input) &&
    Object.keys(input).every(
      (name) => name !== "__proto__" && fitsName(name) && fitsMember(input[name])
    )
}

const membersGuard = (ast: SchemaAST.TypeLiteral): Guard => {
  const [record, ...more] = ast.indexSignatures
  if (record === undefined) return objectGuard(ast)
  return ast.propertySignatures.length + more.length === 0 ? recordGuard(record) : nothing
}

const tupleGuard = (elements: SchemaAST.TupleType["elements"]): Guard => {
  const places = elements.map(({ type }) => fromAst(type))
  const required = elements.filter(({ isOptional }) => !isOptional).length
  return (input) =>
    Array.isArray(input) &&
    input.length >= required &&
    input.length <= places.length &&
    input.every((item, index) => places[index]?.(item) === true)
}

const arrayGuard = ({ elements, rest }: SchemaAST.TupleType): Guard => {
  const [item, ...more] = rest
  if (item === undefined) return tupleGuard(elements)
  if (elements.length + more.length > 0) return nothing
  const fits = fromAst(item.type)
  return (input) => Array.isArray(input) && input.every(fits)
}

const refinementGuard = (ast: SchemaAST.Refinement): Guard => {
  const fits = fromAst(ast.from)
  return (input) =>
    fits(input) && Option.isNone(ast.filter(input, SchemaAST.defaultParseOption, ast))
}

/** A struct whose fields are transformed; a value passes when the transformation leaves every field as it is. */
const transformedGuard = ({ from, to, transformation }: SchemaAST.Transformation): Guard => {
  if (transformation._tag !== "TypeLiteralTransformation") return nothing
  const fields = transformation.propertySignatureTransformations
  if (fields.some((field) => field.from !== field.to)) return nothing
  const [fitsFrom, fitsTo] = [fromAst(from), fromAst(to)]
  return (input) =>
    isObject(input) &&
    fitsFrom(input) &&
    fitsTo(input) &&
    fields.every(({ from: name, decode }) => {
      const isGiven = Object.hasOwn(input, name)
      const made = decode(isGiven ? Option.some(input[name]) : Option.none())
      return Option.isSome(made) ? isGiven && made.value === input[name] : !isGiven
    })
}

const ownGuard = (ast: SchemaAST.AST): Option.Option<Guard> =>
  SchemaAST.getAnnotation<Guard>(ast, OwnGuard)

const fromAst = (ast: SchemaAST.AST): Guard => {
  switch (ast._tag) {
    case "StringKeyword":
      return (input) => typeof input === "string"
    case "NumberKeyword":
      return (input) => typeof input === "number"
    case "BooleanKeyword":
      return (input) => typeof input === "boolean"
    case "UnknownKeyword":
      return () => true
    case "Literal":
      return (input) => input === ast.literal
    case "Union": {
      const members = ast.types.map(fromAst)
      return (input) => members.some((fits) => fits(input))
    }
    case "Refinement":
      return refinementGuard(ast)
    case "TupleType":
      return arrayGuard(ast)
    case "TypeLiteral":
      return membersGuard(ast)
    case "Declaration":
      return Option.getOrElse(ownGuard(ast), () => nothing)
    case "Transformation":
      return Option.getOrElse(ownGuard(ast), () => transformedGuard(ast))
    default:
      return nothing
  }
}

/**
 * A quick check that is true only for values which the schema decodes to themselves.
 *
 * INVARIANT: it never lets pass what the schema would refuse; that it passes what the schema accepts is
 * what makes it worth asking.
 */
export const make = <A, I>(schema: Schema.Schema<A, I>): ((input: unknown) => input is A) => {
  const fits = fromAst(schema.ast)
  return (input): input is A => fits(input)
}
