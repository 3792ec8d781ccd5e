/**
 * Makes an example for every schema of the document.
 *
 * In this order: the annotated `examples` of the schema, its constant, the word of `ExampleWords` for the name of the
 * field, and a simple value that the schema allows. A test validates every example against its schema.
 */
import * as ExampleWords from "./ExampleWords.js"
import { isSchema, members, referenced, type Schema } from "./JsonSchema.js"
import * as PatternSample from "./PatternSample.js"

/** Which fields of an object an example shows: the required ones of a request, or all of a response. */
export type Extent = "request" | "response"

/** Deeper than this, examples show required fields alone. */
const DEPTH_FULL = 6
/** Deeper than this, a schema is recursive, and lists are empty. */
const DEPTH_MAX = 12

interface Place {
  readonly schemas: { readonly [name: string]: unknown }
  readonly extent: Extent
  readonly name: string
  readonly depth: number
}

const numberOf = (value: unknown, otherwise: number): number =>
  typeof value === "number" ? value : otherwise

const fitsNumber = (schema: Schema, value: number): boolean =>
  (schema.type === "number" || (schema.type === "integer" && Number.isInteger(value))) &&
  value >= numberOf(schema.minimum, value) &&
  value <= numberOf(schema.maximum, value) &&
  value > numberOf(schema.exclusiveMinimum, value - 1) &&
  value < numberOf(schema.exclusiveMaximum, value + 1)

const fitsText = (schema: Schema, value: string): boolean =>
  schema.type === "string" &&
  value.length >= numberOf(schema.minLength, 0) &&
  value.length <= numberOf(schema.maxLength, value.length) &&
  (typeof schema.pattern !== "string" || new RegExp(schema.pattern, "u").test(value)) &&
  (schema.format !== "uri" || URL.canParse(value))

/** Whether a schema of a primitive type allows a value. */
const fits = (schema: Schema, value: unknown): boolean => {
  if (Array.isArray(schema.enum)) return schema.enum.includes(value)
  if (typeof value === "number") return fitsNumber(schema, value)
  return typeof value === "string" && fitsText(schema, value)
}

const textOf = (schema: Schema): string => {
  if (typeof schema.pattern === "string") return PatternSample.sample(schema.pattern)
  if (schema.format === "uri") return "https://example.com/"
  if (schema.format === "email") return "ada@example.com"
  return "text".padEnd(numberOf(schema.minLength, 0), "t").slice(0, numberOf(schema.maxLength, 64))
}

const plainOf = (schema: Schema): unknown => {
  switch (schema.type) {
    case "string":
      return textOf(schema)
    case "integer":
    case "number":
      return Math.max(
        numberOf(schema.minimum, 1),
        Math.min(1, numberOf(schema.maximum, 1)),
        numberOf(schema.exclusiveMinimum, 0) + 1
      )
    case "boolean":
      return true
    case "null":
      return null
    default:
      return {}
  }
}

/** The first member of a union that is neither null nor the empty text. */
const chosen = (choices: ReadonlyArray<Schema>): Schema =>
  choices.find(
    (choice) => choice.type !== "null" && !(Array.isArray(choice.enum) && choice.enum[0] === "")
  ) ??
  choices[0] ??
  {}

const shownFields = (schema: Schema, { extent, depth }: Place): ReadonlyArray<string> => {
  const all = Object.keys(isSchema(schema.properties) ? schema.properties : {})
  const required = all.filter(
    (name) => Array.isArray(schema.required) && schema.required.includes(name)
  )
  if (extent === "response") return depth < DEPTH_FULL ? all : required
  const telling = all.filter((name) => required.includes(name) || name === "description")
  return telling.length === 0 && depth === 0 ? all : telling
}

const objectOf = (schema: Schema, place: Place): unknown => {
  const properties = isSchema(schema.properties) ? schema.properties : {}
  const fields = shownFields(schema, place).map((name) => [
    name,
    sampleOf(properties[name], { ...place, name, depth: place.depth + 1 })
  ])
  const entry = isSchema(schema.additionalProperties) ? schema.additionalProperties : undefined
  if (fields.length > 0 || entry === undefined) return Object.fromEntries(fields)
  const key = ExampleWords.keyOf.get(place.name) ?? "name"
  return { [key]: sampleOf(entry, { ...place, depth: place.depth + 1 }) }
}

const arrayOf = (schema: Schema, place: Place): unknown => {
  if (Array.isArray(schema.prefixItems))
    return schema.prefixItems.map((item) => sampleOf(item, place))
  if (place.depth > DEPTH_MAX || schema.maxItems === 0 || !isSchema(schema.items)) return []
  return [sampleOf(schema.items, { ...place, depth: place.depth + 1 })]
}

/** The members of `allOf` in one schema. */
const merged = (schema: Schema): Schema => Object.assign({}, ...members(schema.allOf), schema)

const sampleOf = (given: unknown, place: Place): unknown => {
  if (!isSchema(given)) return {}
  const name = referenced(given)
  const schema = name === undefined ? merged(given) : place.schemas[name]
  if (!isSchema(schema)) return {}
  if (name !== undefined) return sampleOf(schema, { ...place, depth: place.depth + 0.5 })
  if (Array.isArray(schema.examples) && schema.examples.length > 0) return schema.examples[0]
  if ("const" in schema) return schema.const
  const choices = [...members(schema.anyOf), ...members(schema.oneOf)]
  if (choices.length > 0) return sampleOf(chosen(choices), place)
  const word = ExampleWords.byName.get(place.name)
  if (word !== undefined && fits(schema, word)) return word
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (schema.type === "array") return arrayOf(schema, place)
  return schema.type === "object" ? objectOf(schema, place) : plainOf(schema)
}

/** The example of a schema, under the name of its field or parameter. */
export const make = (
  schemas: { readonly [name: string]: unknown },
  schema: unknown,
  { extent, name = "" }: { readonly extent: Extent; readonly name?: string }
): unknown => sampleOf(schema, { schemas, extent, name, depth: 0 })
