/**
 * JSON from strangers: text to a value that is safe to walk and to store.
 *
 * Depth is checked before parsing, so that nothing that walks the value can run out of stack; NUL,
 * unpaired surrogates and numbers beyond the range of a double are refused, because no store can keep
 * them as they were sent (P-JSON, P-PG).
 */
import { type FieldErrors, printPath, withInput } from "@attestry/core/FieldErrors"
import * as Either from "effect/Either"

/** Values nest at most this deep. DECISION A-14 */
export const DEPTH_MAX = 64

const QUOTE = 34
const isDigit = (code: number): boolean => code >= 48 && code <= 57
const isExponent = (code: number): boolean => code === 69 || code === 101

/** What is seen of a text without reading it. */
interface Glance {
  /** Whether it opens more brackets than allowed; brackets inside strings do not count. */
  readonly isTooDeep: boolean
  /** Whether it has escapes, which alone can bring in such characters, or exponents, such numbers. */
  readonly isSuspect: boolean
}

/** Where the string ends that begins at a quote; the end of the text when it does not. */
const endOfString = (text: string, start: number, first: number): number => {
  let escaped = first
  let end = text.indexOf('"', start + 1)
  while (escaped !== -1 && end !== -1 && escaped < end) {
    // WHY two further: whatever is escaped neither ends the string nor escapes.
    if (escaped + 1 === end) end = text.indexOf('"', end + 1)
    escaped = text.indexOf("\\", escaped + 2)
  }
  return end === -1 ? text.length : end
}

/** Looks once over a text; most of it are strings, which are leapt over. */
const glance = (text: string): Glance => {
  let depth = 0
  let escaped = text.indexOf("\\")
  let isSuspect = text.includes("\\u")
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === QUOTE) {
      while (escaped !== -1 && escaped < index) escaped = text.indexOf("\\", escaped + 1)
      index = endOfString(text, index, escaped)
    } else if (code === 91 || code === 123) {
      if (++depth > DEPTH_MAX) return { isTooDeep: true, isSuspect }
    } else if (code === 93 || code === 125) depth--
    else if (isExponent(code) && isDigit(text.charCodeAt(index - 1))) isSuspect = true
  }
  return { isTooDeep: false, isSuspect }
}

const UNSTORABLE = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/

/** Whether a text holds NUL or an unpaired surrogate. */
export const isUnstorable = (text: string): boolean => UNSTORABLE.test(text)

const unstorable = "String should not contain NUL or unpaired surrogates"

type Path = ReadonlyArray<PropertyKey>

const findProblems = (value: unknown, path: Path, found: Map<string, string>): void => {
  const field = path.length === 0 ? "body" : printPath(path)
  if (typeof value === "string") {
    if (isUnstorable(value)) found.set(field, `${unstorable} [input: …]`)
  } else if (typeof value === "number") {
    if (!Number.isFinite(value))
      found.set(field, withInput("Input should be a finite number", value))
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => {
      findProblems(item, [...path, index], found)
    })
  } else if (typeof value === "object" && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      if (isUnstorable(key)) found.set(field, `${unstorable} in its keys [input: …]`)
      else findProblems(member, [...path, key], found)
    }
  }
}

const parseOnly = (text: string): Either.Either<unknown, FieldErrors> =>
  Either.try({
    try: (): unknown => JSON.parse(text),
    catch: () => ({ body: "Input should be valid JSON [input: …]" })
  })

/** The value of a JSON text, or what is wrong with it by field. */
export const parse = (text: string): Either.Either<unknown, FieldErrors> => {
  const { isTooDeep, isSuspect } = glance(text)
  if (isTooDeep) {
    return Either.left({ body: `Input should nest at most ${DEPTH_MAX} levels deep [input: …]` })
  }
  return Either.flatMap(parseOnly(text), (value) => {
    if (!isSuspect) return Either.right(value)
    const found = new Map<string, string>()
    findProblems(value, [], found)
    return found.size === 0 ? Either.right(value) : Either.left(Object.fromEntries(found))
  })
}
