/** Reads members of JSON objects of bills of materials: own members only, and null for another type. */
import * as Predicate from "effect/Predicate"
import { EvidenceProblem } from "../../EvidenceProblem.js"
import type { JsonObject } from "../Format.js"

const EMPTY: JsonObject = {}

/** Whether a value is an object and no list. */
export const isObject = (value: unknown): value is JsonObject => Predicate.isRecord(value)

/** A member, or undefined. */
export const of = (object: JsonObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined

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

const INSTANT = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/

/** The instant of a member in RFC 3339, in epoch seconds. */
export const instant = (parent: JsonObject, name: string): number | null => {
  const written = text(parent, name)
  if (written === null || !INSTANT.test(written)) return null
  const millis = Date.parse(written.replace(" ", "T").toUpperCase())
  return Number.isNaN(millis) ? null : millis / 1_000
}

/** Content that breaks a rule of its format. */
export const unreadable = (message: string): EvidenceProblem =>
  new EvidenceProblem({ kind: "unreadable", message, line: null })
