/**
 * Where values of a JSON text end, found without building them.
 *
 * Only as strict as is needed to find the way: that brackets match and words are spelled right is for the
 * parser to say. Nothing here takes more than one look at a character.
 */

/** What stands for "does not end". */
export const NO_END = -1

const QUOTE = 34
const BACKSLASH = 92

const isOpening = (code: number): boolean => code === 91 || code === 123
const isClosing = (code: number): boolean => code === 93 || code === 125

/** Where the string ends that begins at a quote: after its last quote. */
export const endOfString = (text: string, at: number): number => {
  let quote = text.indexOf('"', at + 1)
  while (quote !== -1) {
    let first = quote
    while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1
    if ((quote - first) % 2 === 0) return quote + 1
    quote = text.indexOf('"', quote + 1)
  }
  return NO_END
}

const SCALAR_END = /[\s,:\]}[{"]/g

const endOfScalar = (text: string, at: number): number => {
  SCALAR_END.lastIndex = at
  return SCALAR_END.exec(text)?.index ?? text.length
}

/** A place within a list or an object, and how many brackets are open there. */
interface Cursor {
  at: number
  depth: number
}

/** Moves on until no bracket is open, or to a place; false when brackets are still open. */
const close = (text: string, cursor: Cursor, until: number): boolean => {
  const last = Math.min(until, text.length)
  while (cursor.at < last) {
    const code = text.charCodeAt(cursor.at)
    if (code === QUOTE) {
      const end = endOfString(text, cursor.at)
      cursor.at = end === NO_END ? text.length : end
      continue
    }
    cursor.at += 1
    if (isOpening(code)) cursor.depth += 1
    else if (isClosing(code)) {
      cursor.depth -= 1
      if (cursor.depth === 0) return true
    }
  }
  return false
}

const begin = (text: string, at: number): Cursor | number => {
  const code = text.charCodeAt(at)
  if (isOpening(code)) return { at: at + 1, depth: 1 }
  return code === QUOTE ? endOfString(text, at) : endOfScalar(text, at)
}

/** Where the value at a place ends, if it has at most so many characters. */
export const endWithin = (text: string, at: number, lengthMax: number): number => {
  const begun = begin(text, at)
  if (typeof begun === "number") return begun - at <= lengthMax ? begun : NO_END
  return close(text, begun, at + lengthMax) ? begun.at : NO_END
}

/** So many characters are looked at in a row. */
const STRETCH = 65_536

/** Where the value at a place ends; pauses now and then. */
export function* endOf(text: string, at: number): Generator<void, number> {
  const begun = begin(text, at)
  if (typeof begun === "number") return begun
  while (!close(text, begun, begun.at + STRETCH)) {
    if (begun.at >= text.length) return NO_END
    yield
  }
  return begun.at
}
