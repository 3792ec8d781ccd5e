/**
 * JSON of SCIM requests: names of attributes in any case, and values that programs send in several forms. Pure and
 * total.
 *
 * Names come from outside and never index an object that was not made here.
 */
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import { ScimInvalid, type ScimType } from "./ScimProblem.js"

/** A JSON object. */
export interface Fields {
  readonly [name: string]: unknown
}

/** A value, or why there is none. */
export type Read<A> = Either.Either<A, ScimInvalid>

/** Refuses a request. */
export const refuse = (scimType: ScimType, detail: string): Either.Either<never, ScimInvalid> =>
  Either.left(new ScimInvalid({ scimType, detail }))

/** Whether a value is a JSON object. */
export const isFields = (value: unknown): value is Fields =>
  Predicate.isRecord(value) && !Array.isArray(value)

/** The key of a name, which is written in any case. */
export const fold = (text: string): string => text.toLowerCase()

const NAME = /^[A-Za-z][A-Za-z0-9$_-]{0,127}$/
const URN = /^urn:[A-Za-z0-9:._-]{1,250}$/i

/** Whether a text can be the name of an attribute or of an extension. */
export const isName = (name: string): boolean => NAME.test(name) || URN.test(name)

/** The value under a name in any case; undefined when there is none. */
export const memberOf = (fields: Fields, name: string): unknown => {
  const wanted = fold(name)
  return Object.entries(fields).find(([each]) => fold(each) === wanted)?.[1]
}

/** An object without a name, in any case. */
export const without = (fields: Fields, name: string): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([each]) => fold(each) !== fold(name)))

/** An object with a value under a name; a name that is there in another case stays as it is. */
export const withValue = (fields: Fields, name: string, value: unknown): Fields => {
  const wanted = fold(name)
  const entries = Object.entries(fields)
  return entries.some(([each]) => fold(each) === wanted)
    ? Object.fromEntries(entries.map(([each, old]) => [each, fold(each) === wanted ? value : old]))
    : Object.fromEntries([...entries, [name, value]])
}

/** An object with the members of another one; null removes a member. */
export const merged = (fields: Fields, others: Fields): Fields =>
  Object.entries(others).reduce<Fields>(
    (all, [name, value]) => (value === null ? without(all, name) : withValue(all, name, value)),
    fields
  )

/** The object of a body, each of whose names can be that of an attribute and is there once. */
export const bodyOf = (body: unknown): Read<Fields> => {
  if (!isFields(body)) return refuse("invalidSyntax", "the body must be a JSON object")
  const seen = new Set<string>()
  for (const name of Object.keys(body)) {
    if (!isName(name))
      return refuse("invalidSyntax", `\`${name.slice(0, 100)}\` names no attribute`)
    if (seen.has(fold(name))) return refuse("invalidSyntax", `\`${name}\` is there twice`)
    seen.add(fold(name))
  }
  return Either.right(body)
}

/** A boolean, also as the text that Entra sends. */
export const booleanOf = (value: unknown, name: string): Read<boolean> => {
  if (typeof value === "boolean") return Either.right(value)
  const text = typeof value === "string" ? fold(value) : ""
  return text === "true" || text === "false"
    ? Either.right(text === "true")
    : refuse("invalidValue", `\`${name}\` must be true or false`)
}

/** A text of at most so many characters. */
export const textOf = (value: unknown, name: string, lengthMax: number): Read<string> =>
  typeof value === "string" && value.trim() !== "" && value.length <= lengthMax
    ? Either.right(value)
    : refuse("invalidValue", `\`${name}\` must be a text of 1 to ${lengthMax} characters`)

/** A text, or null for one that is absent, null or empty. */
export const optionalTextOf = (
  value: unknown,
  name: string,
  lengthMax: number
): Read<string | null> =>
  value === undefined || value === null || value === ""
    ? Either.right(null)
    : textOf(value, name, lengthMax)
