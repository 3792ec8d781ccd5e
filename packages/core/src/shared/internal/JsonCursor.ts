/**
 * Finds where the values of a JSON text end, without building them.
 *
 * Only as strict as is needed to skip a value: the parser checks brackets and words. Each character is read once.
 */

/** The value for "does not end". */
export const NO_END = -1

const SPACE = 32
const QUOTE = 34
const COMMA = 44
const COLON = 58
const BACKSLASH = 92

const isOpening = (code: number): boolean => code === 91 || code === 123
const isClosing = (code: number): boolean => code === 93 || code === 125

/** WHY so many at once: a text of backslashes alone would otherwise be read one by one. */
const BACKSLASHES = "\\".repeat(1_024)

/** Whether a quote ends its string: the number of backslashes before it is even. */
const isEnd = (text: string, quote: number): boolean => {
  let first = quote
  while (first >= BACKSLASHES.length && text.startsWith(BACKSLASHES, first - BACKSLASHES.length))
    first -= BACKSLASHES.length
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1
  return (quote - first) % 2 === 0
}

/** The offset after the string that begins at a quote. */
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

/** The offset after the number or word, or the limit that it reaches. */
const alongScalar = (text: string, at: number, until: number): number => {
  let end = at
  while (end < until && end < text.length && !isDelimiter(text.charCodeAt(end))) end += 1
  return end
}

/** A position in a list or an object, and the number of open brackets. */
interface Cursor {
  at: number
  depth: number
  /** Whether the caller only needs to know that the value is longer than the limit. */
  readonly isBounded: boolean
}

/** The deepest nesting; a search ends there. */
const DEPTH_MAX = 64

/** Advances until no bracket is open, or to a limit; false when brackets are still open. */
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

/** The offset after the value, if it has at most so many characters. */
export const endWithin = (text: string, at: number, lengthMax: number): number => {
  const code = text.charCodeAt(at)
  if (isOpening(code)) {
    const cursor = { at: at + 1, depth: 1, isBounded: true }
    return close(text, cursor, at + lengthMax) ? cursor.at : NO_END
  }
  // WHY first: a long text need not be scanned to its end.
  if (code === QUOTE && text.indexOf('"', at + 1) - at >= lengthMax) return NO_END
  const end = code === QUOTE ? endOfString(text, at) : alongScalar(text, at, at + lengthMax + 1)
  return end - at <= lengthMax ? end : NO_END
}

/** The characters that are scanned between two yields. */
const STRETCH = 65_536

const isSpace = (code: number): boolean =>
  code === SPACE || code === 10 || code === 13 || code === 9

/** The offset of the next character that is no white space; yields now and then. */
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

/** The offset after the value; yields now and then. */
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
