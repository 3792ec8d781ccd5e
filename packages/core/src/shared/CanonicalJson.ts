/**
 * One text per JSON value: keys sorted by code unit, no white space, numbers as JavaScript prints them.
 *
 * The text is what the journal keeps and what digests are taken of, so equal values have equal digests
 * wherever they are computed. Lone surrogates and NUL come out escaped, so the text is always valid UTF-8.
 */

/** A JSON value. */
export type Json =
  | null
  | boolean
  | number
  | string
  | ReadonlyArray<Json>
  | { readonly [key: string]: Json }

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

/** The canonical text of a value; members that are `undefined` are left out, as JSON does. */
export const print = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map((item) => print(item ?? null)).join(",")}]`
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([left], [right]) => compare(left, right))
      .map(([key, member]) => `${JSON.stringify(key)}:${print(member)}`)
    return `{${members.join(",")}}`
  }
  return JSON.stringify(value) ?? "null"
}

/** Whether two JSON values are the same value, whatever the order of their keys. */
export const equals = (left: unknown, right: unknown): boolean => print(left) === print(right)
