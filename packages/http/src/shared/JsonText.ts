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
const BACKSLASH = 92

/** Whether the text opens more brackets than allowed; brackets inside strings do not count. */
export const exceedsDepth = (text: string): boolean => {
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === BACKSLASH) index++
      else if (code === QUOTE) inString = false
    } else if (code === QUOTE) inString = true
    else if (code === 91 || code === 123) {
      if (++depth > DEPTH_MAX) return true
    } else if (code === 93 || code === 125) depth--
  }
  return false
}

const UNSTORABLE = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/

/** Whether a text holds NUL or an unpaired surrogate. */
export const isUnstorable = (text: string): boolean => UNSTORABLE.test(text)

const unstorable = "String should not contain NUL or unpaired surrogates"

/** Only escapes can bring in such characters, and only long exponents such numbers. */
const SUSPECT = /\\u|[eE]\+?\d{3}/

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
  if (exceedsDepth(text)) {
    return Either.left({ body: `Input should nest at most ${DEPTH_MAX} levels deep [input: …]` })
  }
  return Either.flatMap(parseOnly(text), (value) => {
    if (!SUSPECT.test(text)) return Either.right(value)
    const found = new Map<string, string>()
    findProblems(value, [], found)
    return found.size === 0 ? Either.right(value) : Either.left(Object.fromEntries(found))
  })
}
