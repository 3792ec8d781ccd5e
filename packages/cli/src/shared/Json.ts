/** Reads JSON values of unknown shape: a missing value is empty, and nothing throws. */

/** A JSON object. */
export type Fields = { readonly [name: string]: unknown }

const EMPTY: Fields = {}

/** Whether a value is an object. */
export const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The object, or an empty one. */
export const object = (value: unknown): Fields => (isObject(value) ? value : EMPTY)

/** The list, or an empty one. */
export const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** The objects of a list. */
export const objects = (value: unknown): ReadonlyArray<Fields> => list(value).filter(isObject)

/** A text; undefined for any other value. */
export const text = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined

/** A number; 0 for any other value. */
export const number = (value: unknown): number => (typeof value === "number" ? value : 0)

/** The members of an object, as pairs. */
export const members = (value: unknown): ReadonlyArray<readonly [string, unknown]> =>
  Object.entries(object(value))
