/** The texts of erased values, and values without them. Pure. */
import * as Predicate from "effect/Predicate"
import { ERASED } from "../journal/ErasedMembers.js"
import type { Json } from "../shared/CanonicalJson.js"

/** A shorter text is only replaced where it is a whole value: as a part it would be found in any other text. */
export const PART_MIN = 3

/** The texts in a value, at any depth; empty ones tell nothing. */
export const textsOf = (value: Json): ReadonlyArray<string> => {
  if (typeof value === "string") return value === "" ? [] : [value]
  if (typeof value !== "object" || value === null) return []
  return (Array.isArray(value) ? value : Object.values(value)).flatMap(textsOf)
}

/** What JSON that has the text contains. */
export const partOf = (text: string): string => {
  const quoted = JSON.stringify(text)
  return text.length < PART_MIN ? quoted : quoted.slice(1, -1)
}

const LETTER = /[\p{L}\p{N}]/u

const isLetter = (text: string | undefined): boolean => text !== undefined && LETTER.test(text)

/** Whether letters go on beyond an end of a text, which is then a part of a longer word: `ada` in `adapter`. */
const isWithinWord = (before: string | undefined, after: string | undefined): boolean =>
  isLetter(before) && isLetter(after)

/** A value without the occurrences of a text that are no part of a longer word. */
const withoutPart = (value: string, text: string): string => {
  const pieces: Array<string> = []
  let begin = 0
  let at = value.indexOf(text)
  while (at !== -1) {
    const end = at + text.length
    if (isWithinWord(value[at - 1], text[0]) || isWithinWord(text.at(-1), value[end])) {
      at = value.indexOf(text, at + 1)
      continue
    }
    pieces.push(value.slice(begin, at), ERASED)
    begin = end
    at = value.indexOf(text, end)
  }
  return pieces.join("") + value.slice(begin)
}

const without = (value: string, text: string): string => {
  if (text.length < PART_MIN) return value === text ? ERASED : value
  return withoutPart(value, text)
}

/** Whether a personal member has a text: it is the text, a list with it, or an address that contains it. */
export const has = (pointer: string, found: Json, text: string): boolean => {
  if (found === text) return true
  if (Array.isArray(found)) return found.includes(text)
  if (typeof found !== "string" || !pointer.endsWith("/webhook")) return false
  // WHY: half of a character cannot be encoded.
  const encoded = /\p{Surrogate}/u.test(text) ? text : encodeURIComponent(text)
  return [text, encoded].some((each) => without(found, each) !== found)
}

/** A value in whose texts the erased ones are replaced. */
export const erased = (value: unknown, texts: ReadonlyArray<string>): unknown => {
  if (typeof value === "string") return texts.reduce(without, value)
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map((each: unknown) => erased(each, texts))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, erased(member, texts)])
  )
}

/** A value whose members have the order of another one, wherever that has them too. */
export const inOrderOf = (model: unknown, value: unknown): unknown => {
  if (Array.isArray(model) && Array.isArray(value)) {
    return value.map((each: unknown, at) => inOrderOf(model[at], each))
  }
  if (!Predicate.isRecord(model) || !Predicate.isRecord(value)) return value
  const known = Object.keys(model).filter((name) => Object.hasOwn(value, name))
  const others = Object.keys(value).filter((name) => !Object.hasOwn(model, name))
  return Object.fromEntries(
    [...known, ...others].map((name) => [name, inOrderOf(model[name], value[name])])
  )
}
