/**
 * The schemas of lists in the document: in place of an item there may be a placeholder for a damaged record.
 * DECISIONS.md, "A damaged record never fails a list"
 */
import type * as OpenApi from "@effect/platform/OpenApi"
import * as DamagedRecordPlaceholder from "../../shared/internal/DamagedRecordPlaceholder.js"
import type { Route } from "../../shared/internal/RouteTable.js"
import { isSchema, members, referenced, type Schema } from "./JsonSchema.js"

type Responses = OpenApi.OpenAPISpecOperation["responses"]
type Schemas = { readonly [name: string]: unknown }

const NAME = "DamagedRecord"

const DAMAGED_RECORD: Schema = {
  type: "object",
  description: "Stands in the place of a record that is damaged in the store",
  required: ["damaged_record", "message"],
  properties: { damaged_record: { const: true }, message: { type: "string" } },
  additionalProperties: false,
  examples: [DamagedRecordPlaceholder.PLACEHOLDER]
}

const PLACEHOLDER_REF: Schema = { $ref: `#/components/schemas/${NAME}` }

/**
 * The schema of a list whose items may be placeholders: an array, or the array of an object with counters. A reference
 * stays, because `components` changes the component.
 */
export const withPlaceholders = (schema: unknown): unknown => {
  if (!isSchema(schema) || referenced(schema) !== undefined) return schema
  if (schema.type === "array") {
    return { ...schema, items: { anyOf: [schema.items, PLACEHOLDER_REF] } }
  }
  if (Array.isArray(schema.anyOf)) {
    return { ...schema, anyOf: schema.anyOf.map(withPlaceholders) }
  }
  if (!isSchema(schema.properties)) return schema
  const properties = Object.entries(schema.properties).map(([name, each]) => [
    name,
    isSchema(each) && each.type === "array" ? withPlaceholders(each) : each
  ])
  return { ...schema, properties: Object.fromEntries(properties) }
}

/** The names of the components that are a list, or one form of it. */
const namesIn = (schema: unknown): ReadonlyArray<string> => {
  if (!isSchema(schema)) return []
  const named = referenced(schema)
  return named === undefined ? members(schema.anyOf).flatMap(namesIn) : [named]
}

/** The names of the components that an operation answers as a list; none for other operations. */
export const namesOf = (route: Route, responses: Responses): ReadonlyArray<string> =>
  DamagedRecordPlaceholder.isList(route)
    ? Object.entries(responses)
        .filter(([status]) => Number(status) < 400)
        .flatMap(([, { content = {} }]) => Object.values(content))
        .flatMap(({ schema }) => namesIn(schema))
    : []

/** The components with that of the placeholder, and with placeholders in those of lists. */
export const components = (schemas: Schemas, lists: ReadonlyArray<string>): Schemas =>
  Object.fromEntries([
    ...Object.entries(schemas).map(([name, schema]) => [
      name,
      lists.includes(name) ? withPlaceholders(schema) : schema
    ]),
    [NAME, DAMAGED_RECORD]
  ])
