/** Finds and removes erased texts in values. Pure. */
import * as Predicate from "effect/Predicate"
import { ERASED, FREE_FORM, isMark } from "../journal/ErasedMembers.js"
import { DIGESTS } from "../log/internal/Disclosure.js"
import type { Json } from "../shared/CanonicalJson.js"

/** A shorter text is replaced only as a whole value, because as a part it would match in too many texts. */
export const PART_MIN = 3

/** The characters of a text inside JSON, with escapes. */
export const partOf = (text: string): string => {
  const quoted = JSON.stringify(text)
  return text.length < PART_MIN ? quoted : quoted.slice(1, -1)
}

const LETTER = /[\p{L}\p{N}]/u

const isLetter = (text: string | undefined): boolean => text !== undefined && LETTER.test(text)

/** Whether a match is part of a longer word: `ada` in `adapter`. */
const isWithinWord = (before: string | undefined, after: string | undefined): boolean =>
  isLetter(before) && isLetter(after)

/** Removes the occurrences of a text that are not part of a longer word. */
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

/** A text, and its form in a URL. WHY not a lone surrogate: it cannot be encoded. */
export const spellings = (text: string): ReadonlyArray<string> =>
  /\p{Surrogate}/u.test(text) ? [text] : [...new Set([text, encodeURIComponent(text)])]

/** Whether a text contains another one as a whole word. */
export const contains = (found: string, text: string): boolean =>
  found !== ERASED && spellings(text).some((each) => without(found, each) !== found)

/** Whether a value contains a text at any depth, including names of members. */
const isAnywhere = (value: Json, text: string): boolean => {
  if (typeof value === "string") return contains(value, text)
  if (typeof value !== "object" || value === null || isMark(value)) return false
  if (Array.isArray(value)) return value.some((each: Json) => isAnywhere(each, text))
  return Object.entries(value).some(
    ([name, member]) => name !== DIGESTS && (contains(name, text) || isAnywhere(member, text))
  )
}

/** Whether a member may have any shape, or is inside one that may. */
const isFree = (pointer: string): boolean => pointer.split("/").some((name) => FREE_FORM.has(name))

/**
 * Whether a disclosed personal member has a text: it equals the text, is a list with it, or is a webhook URL or a
 * value of any shape that contains it.
 */
export const has = (pointer: string, found: Json, text: string): boolean => {
  if (found === text) return true
  if (isFree(pointer)) return isAnywhere(found, text)
  if (Array.isArray(found)) return found.includes(text)
  return typeof found === "string" && pointer.endsWith("/webhook") && contains(found, text)
}

/**
 * The texts of an erased member that copies may have: the member itself, or the elements of a list.
 *
 * WHY no deeper: members with a personal name are erased separately, copies have no values of arbitrary shape, and
 * the other texts in such a value are ordinary words, which copies may contain for other reasons.
 */
export const copiedOf = (value: Json): ReadonlyArray<string> =>
  (Array.isArray(value) ? value : [value]).filter(
    (each): each is string => typeof each === "string" && each !== ""
  )

/** Replaces erased texts everywhere in a value. */
export const erased = (value: unknown, texts: ReadonlyArray<string>): unknown => {
  if (typeof value === "string") return texts.reduce(without, value)
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map((each: unknown) => erased(each, texts))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, erased(member, texts)])
  )
}

/** Returns a value whose members have the order of another value, as far as both have them. */
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

/**
 * Letters that can stand for an unknown character. WHY letters: a match next to one counts as part of a longer word.
 */
const LETTERS = [..."xqzjkvwybcdfghlmnprst"]

/** A letter that the text does not have, so that it cannot complete the text. */
const unknownFor = (text: string): string => {
  const known = text.toLowerCase()
  return LETTERS.find((letter) => !known.includes(letter)) ?? "ξ"
}

/** Searches a file for a text, chunk by chunk. */
export class Scan {
  readonly #kept: number
  readonly #unknown: string
  #window = ""
  #isFound = false

  constructor(readonly text: string) {
    this.#kept = Math.max(...spellings(text).map(({ length }) => length)) + 1
    this.#unknown = unknownFor(text)
  }

  /** Adds the next chunk; returns whether the text has been found. */
  accept(piece: string): boolean {
    const window = this.#window + piece
    this.#isFound = this.#isFound || contains(window + this.#unknown, this.text)
    this.#window =
      window.length > this.#kept ? this.#unknown + window.slice(window.length - this.#kept) : window
    return this.#isFound
  }

  /** Ends the file; returns whether the text has been found. */
  end(): boolean {
    return this.#isFound || contains(this.#window, this.text)
  }
}
