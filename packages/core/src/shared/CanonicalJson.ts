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

type Members = { readonly [key: string]: unknown }

const hasMembers = (value: unknown): value is Members => typeof value === "object" && value !== null

/**
 * The same text in one piece: put together from a hundred, it is kept and gone through as those.
 *
 * WHY this question, which JSON answers no: reading a character joins the pieces, and only what is used is read.
 */
const inOnePiece = (text: string): string => (text.charCodeAt(0) === 0 ? "" : text)

/** A part of a value that was printed before, and prints as its text. */
export class Printed {
  constructor(readonly text: string) {}

  /** The part that a value prints as, for whoever needs it more than once. */
  static of(value: unknown): Printed {
    return new Printed(inOnePiece(print(value)))
  }
}

/** Texts that are told as they are, between quotes. */
const PLAIN = /^[ !#-[\]-~]*$/

/** WHY the look first: most texts are plain, and to see that takes a fraction of what telling any text does. */
const printText = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text))

/** The keys of an object by code unit; those of many objects are written that way. */
const sortedKeys = (value: Members): ReadonlyArray<string> => {
  const keys = Object.keys(value)
  let before = ""
  for (const key of keys) {
    // WHY no comparison is given: by default texts are sorted by code unit.
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

/** Whether two JSON values are the same value, whatever the order of their keys: they print alike. */
export const equals = (left: unknown, right: unknown): boolean => {
  if (left === right) return true
  if (!hasMembers(left) || !hasMembers(right))
    return print(left) === print(right)
  if (!Array.isArray(left)) return !Array.isArray(right) && equalMembers(left, right)
  return (
    Array.isArray(right) &&
    left.length === right.length &&
    left.every((item, index) => equals(item ?? null, right[index] ?? null))
  )
}
