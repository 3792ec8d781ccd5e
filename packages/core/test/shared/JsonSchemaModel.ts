/** The part of JSON Schema that our schemas use; an unknown keyword is an error. */
import type { Json } from "../../src/shared/CanonicalJson.js"

/** A schema. */
export type Node = { readonly [keyword: string]: Json }

/** A part of a schema. */
export const node = (schema: Json | undefined): Node =>
  typeof schema === "object" && schema !== null && !Array.isArray(schema) ? (schema as Node) : {}
const list = (schema: Json | undefined): ReadonlyArray<Json> =>
  Array.isArray(schema) ? schema : []

const typeOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value

/** Whether a schema accepts a value. */
export const accepts = (schema: Node, value: unknown): boolean =>
  Object.entries(schema).every(([keyword, given]) => {
    const entries = typeOf(value) === "object" ? Object.entries(value as object) : []
    const text = typeof value === "string" ? value : undefined
    switch (keyword) {
      case "$schema":
      case "title":
      case "description":
      case "default":
        return true
      case "type":
        return (Array.isArray(given) ? given : [given]).some(
          (type) => type === typeOf(value) || (type === "integer" && Number.isInteger(value))
        )
      case "const":
        return value === given
      case "enum":
        return list(given).includes(value as Json)
      case "pattern":
        return text === undefined || new RegExp(String(given)).test(text)
      case "minLength":
        return text === undefined || text.length >= Number(given)
      case "maxLength":
        return text === undefined || text.length <= Number(given)
      case "maxItems":
        return !Array.isArray(value) || value.length <= Number(given)
      case "items":
        return !Array.isArray(value) || value.every((item) => accepts(node(given), item))
      case "properties":
        return entries.every(([key, member]) => accepts(node(node(given)[key]), member))
      case "minItems":
        return !Array.isArray(value) || value.length >= Number(given)
      case "uniqueItems":
        return (
          !Array.isArray(value) ||
          new Set(value.map((item) => JSON.stringify(item))).size === value.length
        )
      case "minimum":
        return typeof value !== "number" || value >= Number(given)
      case "maximum":
        return typeof value !== "number" || value <= Number(given)
      case "minProperties":
        return typeOf(value) !== "object" || entries.length >= Number(given)
      case "propertyNames":
        return entries.every(([key]) => accepts(node(given), key))
      case "required":
        return (
          typeOf(value) !== "object" ||
          list(given).every((key) => entries.some(([found]) => found === key))
        )
      case "additionalProperties":
        return entries.every(
          ([key, member]) =>
            Object.hasOwn(node(schema.properties), key) ||
            (given !== false && accepts(node(given), member))
        )
      case "not":
        return !accepts(node(given), value)
      case "oneOf":
        return list(given).filter((one) => accepts(node(one), value)).length === 1
      case "anyOf":
        return list(given).some((one) => accepts(node(one), value))
      case "allOf":
        return list(given).every((one) => accepts(node(one), value))
      case "if":
        return !accepts(node(given), value) || accepts(node(schema.then), value)
      case "then":
        return true
      default:
        throw new Error(`unknown keyword ${keyword}`)
    }
  })
