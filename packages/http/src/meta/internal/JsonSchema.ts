/**
 * Removes what the framework adds to JSON Schemas: titles that repeat a bound, descriptions that repeat a pattern,
 * named schemas for "an integer".
 */

import * as Predicate from "effect/Predicate"

/** A JSON Schema, or any other object of the document. */
export type Schema = { readonly [keyword: string]: unknown }

/** Whether a value is an object with keywords. */
export const isSchema: (value: unknown) => value is Schema = Predicate.isRecord

/** The members of a list keyword; an empty list when it is absent. */
export const members = (value: unknown): ReadonlyArray<Schema> =>
  Array.isArray(value) ? value.filter(isSchema) : []

const PREFIX = "#/components/schemas/"

/** The name of the component that a schema refers to. */
export const referenced = (schema: Schema): string | undefined =>
  typeof schema.$ref === "string" && schema.$ref.startsWith(PREFIX)
    ? schema.$ref.slice(PREFIX.length)
    : undefined

/** Named schemas of the framework that are equal to a type. */
const INLINED: { readonly [name: string]: Schema } = {
  Int: { type: "integer" },
  Finite: { type: "number" },
  NonEmptyString: { type: "string", minLength: 1 },
  UUID: { type: "string", format: "uuid" }
}

/** Named schemas that only errors of the framework use. */
const FOREIGN: ReadonlyArray<string> = ["HttpApiDecodeError", "Issue", "PropertyKey"]

/** Whether a named schema belongs to the contract. */
export const isOurs = (name: string): boolean => !(name in INLINED) && !FOREIGN.includes(name)

const isForeign = (schema: Schema): boolean => FOREIGN.includes(referenced(schema) ?? "")

/** The generated description of a schema without an annotation. */
const GENERATED =
  /^an? (?:string|number|integer|finite|positive|negative|non-|array|template literal|value|boolean)/

const isGenerated = (keyword: string, value: unknown): boolean =>
  keyword === "title" ||
  (keyword === "description" && typeof value === "string" && GENERATED.test(value)) ||
  (keyword === "required" && Array.isArray(value) && value.length === 0)

/** Keywords whose values map names to schemas: a property can be called `title`. */
const MAPS: ReadonlyArray<string> = ["properties", "patternProperties", "$defs"]

const tidyMap = (value: unknown): unknown =>
  isSchema(value)
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, tidy(each)]))
    : value

/** A schema without the additions of the framework. */
export const tidy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(tidy)
  if (!isSchema(value)) return value
  if (typeof value.$id === "string") return {}
  const inlined = INLINED[referenced(value) ?? ""]
  if (inlined !== undefined) return inlined
  const own = members(value.anyOf).filter((member) => !isForeign(member))
  if (own.length === 1 && members(value.anyOf).length > 1) return tidy(own[0])
  return Object.fromEntries(
    Object.entries(value)
      .filter(([keyword, each]) => !isGenerated(keyword, each))
      .map(([keyword, each]) => [keyword, MAPS.includes(keyword) ? tidyMap(each) : tidy(each)])
  )
}
