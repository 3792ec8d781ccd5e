/**
 * One text per JSON value: keys sorted by code unit, no white space, numbers as JavaScript prints them.
 *
 * The journal stores this text and digests are of it, so equal values have equal digests everywhere. Lone
 * surrogates and NUL are escaped, so the text is always valid UTF-8.
 */

/** A JSON value. */
export type Json =
  | null
  | boolean
  | number
  | string
  | ReadonlyArray<Json>
  | { readonly [key: string]: Json }

type Members = { readonly [key: string]: unknown }

const hasMembers = (value: unknown): value is Members => typeof value === "object" && value !== null

/**
 * A flat copy of a concatenated text.
 *
 * WHY: V8 represents a concatenation as a tree of strings and flattens it when a character is read.
 */
const inOnePiece = (text: string): string => (text.charCodeAt(0) === 0 ? "" : text)

/** A part of a value that is already printed. */
export class Printed {
  constructor(readonly text: string) {}

  /** Prints a value once, for several uses. */
  static of(value: unknown): Printed {
    return new Printed(inOnePiece(print(value)))
  }
}

/** Texts that need no escapes. */
const PLAIN = /^[ !#-[\]-~]*$/

/** WHY the test: most texts need no escapes, and the test costs a fraction of `JSON.stringify`. */
const printText = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text))

/** The keys of an object by code unit; most objects already have them in this order. */
const sortedKeys = (value: Members): ReadonlyArray<string> => {
  const keys = Object.keys(value)
  let before = ""
  for (const key of keys) {
    // WHY no comparison function: the default order of texts is by code unit.
    if (key < before) return keys.sort()
    before = key
  }
  return keys
}

const printMembers = (value: Members): string => {
  let text = "{"
  for (const key of sortedKeys(value)) {
    const member = value[key]
    if (member === undefined) continue
    text += `${text === "{" ? "" : ","}${printText(key)}:${print(member)}`
  }
  return `${text}}`
}

/** The canonical text of a value; members that are `undefined` are left out, as JSON does. */
export const print = (value: unknown): string => {
  if (typeof value === "string") return printText(value)
  if (Array.isArray(value)) return `[${value.map((item) => print(item ?? null)).join(",")}]`
  if (value instanceof Printed) return value.text
  return hasMembers(value) ? printMembers(value) : (JSON.stringify(value) ?? "null")
}

const sizeOf = (value: Members): number => {
  let size = 0
  for (const key of Object.keys(value)) if (value[key] !== undefined) size += 1
  return size
}

const equalMembers = (left: Members, right: Members): boolean => {
  let size = 0
  for (const key of Object.keys(left)) {
    const member = left[key]
    if (member === undefined) continue
    if (!Object.hasOwn(right, key)) return false
    const other = right[key]
    if (other === undefined || !equals(member, other)) return false
    size += 1
  }
  return size === Object.keys(right).length || size === sizeOf(right)
}

/** Whether two JSON values are equal, in any order of keys: their canonical texts are equal. */
export const equals = (left: unknown, right: unknown): boolean => {
  if (left === right) return true
  if (!hasMembers(left) || !hasMembers(right)) return print(left) === print(right)
  if (!Array.isArray(left)) return !Array.isArray(right) && equalMembers(left, right)
  return (
    Array.isArray(right) &&
    left.length === right.length &&
    left.every((item, index) => equals(item ?? null, right[index] ?? null))
  )
}
