/**
 * Reads members of JSON objects of other people: own members only, and null where a member is missing or has another
 * type. Where a type matters, the reader of the format asks for it.
 */
import * as Predicate from "effect/Predicate"
import type { JsonObject } from "./Format.js"

const EMPTY: JsonObject = {}

/** Whether a value is an object and no list. */
export const isObject = (value: unknown): value is JsonObject => Predicate.isRecord(value)

/** A member, or undefined. */
export const of = (object: JsonObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined

/** Whether a member exists and is not null. */
export const has = (object: JsonObject, name: string): boolean =>
  Predicate.isNotNullable(of(object, name))

/** The text of a member; null for an empty one. */
export const text = (object: JsonObject, name: string): string | null => {
  const value = of(object, name)
  return typeof value === "string" && value !== "" ? value : null
}

/** The object of a member, or an empty one. */
export const object = (parent: JsonObject, name: string): JsonObject => {
  const value = of(parent, name)
  return isObject(value) ? value : EMPTY
}

/** The list of a member, or an empty one. */
export const list = (parent: JsonObject, name: string): ReadonlyArray<unknown> => {
  const value = of(parent, name)
  return Array.isArray(value) ? value : []
}

/** The objects in the list of a member. */
export const objects = (parent: JsonObject, name: string): ReadonlyArray<JsonObject> =>
  list(parent, name).filter(isObject)

/** The texts in the list of a member. */
export const texts = (parent: JsonObject, name: string): ReadonlyArray<string> =>
  list(parent, name).filter(Predicate.isString)

const INSTANT = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/

/** The instant of a member in RFC 3339, in epoch seconds. */
export const instant = (parent: JsonObject, name: string): number | null => {
  const written = text(parent, name)
  if (written === null || !INSTANT.test(written)) return null
  const millis = Date.parse(written.replace(" ", "T").toUpperCase())
  return Number.isNaN(millis) ? null : millis / 1_000
}

/** A map of texts without prototype, so that a key such as `__proto__` is data, sorted by key. */
export const dictionary = (
  entries: Iterable<readonly [string, string]>
): { readonly [key: string]: string } => {
  const map: { [key: string]: string } = Object.create(null)
  for (const [key, value] of [...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
    map[key] = value
  return map
}
