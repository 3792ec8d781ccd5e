/**
 * Where values of a JSON text end, found without building them.
 *
 * Only as strict as is needed to find the way: that brackets match and words are spelled right is for the
 * parser to say. Nothing here takes more than one look at a character.
 */

/** What stands for "does not end". */
export const NO_END = -1

const SPACE = 32
const QUOTE = 34
const COMMA = 44
const COLON = 58
const BACKSLASH = 92

const isOpening = (code: number): boolean => code === 91 || code === 123
const isClosing = (code: number): boolean => code === 93 || code === 125

/** WHY so many at once: a text of nothing but backslashes would be looked at one by one. */
const BACKSLASHES = "\\".repeat(1_024)

/** Whether a quote ends its string: it does unless an odd number of backslashes stands before it. */
const isEnd = (text: string, quote: number): boolean => {
  let first = quote
  while (first >= BACKSLASHES.length && text.startsWith(BACKSLASHES, first - BACKSLASHES.length))
    first -= BACKSLASHES.length
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1
  return (quote - first) % 2 === 0
}

/** Where the string ends that begins at a quote: after its last quote. */
export const endOfString = (text: string, at: number): number => {
  let quote = text.indexOf('"', at + 1)
  while (quote !== -1 && !isEnd(text, quote)) quote = text.indexOf('"', quote + 1)
  return quote === -1 ? NO_END : quote + 1
}

/** Whether a character ends a number or a word. */
const isDelimiter = (code: number): boolean =>
  code <= 32 ||
  code === COMMA ||
  code === COLON ||
  code === QUOTE ||
  isOpening(code) ||
  isClosing(code)

/** Where the number or word at a place ends, or the place that it still reaches. */
const alongScalar = (text: string, at: number, until: number): number => {
  let end = at
  while (end < until && end < text.length && !isDelimiter(text.charCodeAt(end))) end += 1
  return end
}

/** A place within a list or an object, and how many brackets are open there. */
interface Cursor {
  at: number
  depth: number
  /** Whether it is enough to know that the place is not reached. */
  readonly isBounded: boolean
}

/** No text that is read nests deeper; where one does, the search ends there. */
const DEPTH_MAX = 64

/** Moves on until no bracket is open, or to a place; false when brackets are still open. */
const close = (text: string, cursor: Cursor, until: number): boolean => {
  const last = Math.min(until, text.length)
  while (cursor.at < last) {
    const code = text.charCodeAt(cursor.at)
    if (code === QUOTE) {
      if (cursor.isBounded && text.indexOf('"', cursor.at + 1) >= last) return false
      const end = endOfString(text, cursor.at)
      cursor.at = end === NO_END ? text.length : end
      continue
    }
    cursor.at += 1
    if (isOpening(code)) {
      cursor.depth += 1
      if (cursor.depth > DEPTH_MAX) cursor.at = text.length
    } else if (isClosing(code)) {
      cursor.depth -= 1
      if (cursor.depth === 0) return true
    }
  }
  return false
}

/** Where the value at a place ends, if it has at most so many characters. */
export const endWithin = (text: string, at: number, lengthMax: number): number => {
  const code = text.charCodeAt(at)
  if (isOpening(code)) {
    const cursor = { at: at + 1, depth: 1, isBounded: true }
    return close(text, cursor, at + lengthMax) ? cursor.at : NO_END
  }
  // WHY asked first: a long text is not looked through for how it ends.
  if (code === QUOTE && text.indexOf('"', at + 1) - at >= lengthMax) return NO_END
  const end = code === QUOTE ? endOfString(text, at) : alongScalar(text, at, at + lengthMax + 1)
  return end - at <= lengthMax ? end : NO_END
}

/** So many characters are looked at in a row. */
const STRETCH = 65_536

const isSpace = (code: number): boolean =>
  code === SPACE || code === 10 || code === 13 || code === 9

/** The place of the first character from here on that is no white space; pauses now and then. */
export function* overSpace(text: string, at: number): Generator<void, number> {
  let place = at
  while (place < text.length) {
    const until = Math.min(text.length, place + STRETCH)
    while (place < until && isSpace(text.charCodeAt(place))) place += 1
    if (place < until) return place
    yield
  }
  return place
}

/** Where the value at a place ends; pauses now and then. */
export function* endOf(text: string, at: number): Generator<void, number> {
  const code = text.charCodeAt(at)
  if (code === QUOTE) return endOfString(text, at)
  if (!isOpening(code)) {
    let end = alongScalar(text, at, at + STRETCH)
    while (end < text.length && !isDelimiter(text.charCodeAt(end))) {
      yield
      end = alongScalar(text, end, end + STRETCH)
    }
    return end
  }
  const cursor = { at: at + 1, depth: 1, isBounded: false }
  while (!close(text, cursor, cursor.at + STRETCH)) {
    if (cursor.at >= text.length) return NO_END
    yield
  }
  return cursor.at
}
