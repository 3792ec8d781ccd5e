/**
 * An upper bound of the size of a compiled pattern, computed from its text: a pattern whose counted repeats
 * multiply is refused before it is compiled.
 *
 * Not a validator: invalid text also gets a number, and the compiler refuses it later.
 */

/** The measure of a pattern. */
export interface PatternMeasure {
  /** An upper bound of the instructions it compiles to. */
  readonly size: number
  /** The largest count of its counted repeats; 0 without one. */
  readonly repeatMax: number
}

const COUNTED = /^\{(\d{1,9})(,(\d{0,9}))?\}/

/** The offset just after a bracketed class that begins at `start`. */
const classEnd = (pattern: string, start: number): number => {
  let at = pattern[start + 1] === "^" ? start + 2 : start + 1
  if (pattern[at] === "]") at++
  while (at < pattern.length && pattern[at] !== "]") {
    const named = pattern.startsWith("[:", at) ? pattern.indexOf(":]", at) : -1
    at = named !== -1 ? named + 2 : at + (pattern[at] === "\\" ? 2 : 1)
  }
  return at + 1
}

/** The offset just after an escape that begins at `start`: `\d`, `\pL`, `\p{Greek}`, `\x{10FFFF}`. */
const escapeEnd = (pattern: string, start: number): number => {
  const letter = pattern[start + 1] ?? ""
  if (!"pPx".includes(letter)) return start + 2
  const close = pattern[start + 2] === "{" ? pattern.indexOf("}", start) : -1
  return close !== -1 ? close + 1 : start + 3
}

/** The offset after the flags or the group name that follow `(?`. */
const flagsEnd = (pattern: string, start: number): number => {
  const rest = pattern.slice(start).search(/[:>)]/)
  return rest === -1 ? pattern.length : start + rest
}

interface Group {
  total: number
  last: number
}

/** Reads a pattern from left to right; a repeat multiplies the part before it. */
class Reading {
  readonly outer: Array<Group> = []
  group: Group = { total: 0, last: 0 }
  repeatMax = 0

  add(size: number): void {
    this.group.total += size
    this.group.last = size
  }

  repeat(count: number): void {
    this.repeatMax = Math.max(this.repeatMax, count)
    const { last } = this.group
    this.group.total -= last
    this.add((last + 1) * Math.max(count, 1) + 2)
  }

  open(): void {
    this.outer.push(this.group)
    this.group = { total: 0, last: 0 }
  }

  close(): void {
    const { total } = this.group
    this.group = this.outer.pop() ?? { total: 0, last: 0 }
    this.add(total + 2)
  }
}

/** Reads one part at `at` and returns the offset of the next. */
const readPart = (pattern: string, at: number, reading: Reading): number => {
  switch (pattern[at]) {
    case "\\":
      reading.add(1)
      return escapeEnd(pattern, at)
    case "[":
      reading.add(1)
      return classEnd(pattern, at)
    case "(": {
      const end = pattern[at + 1] === "?" ? flagsEnd(pattern, at) : at
      // WHY: `(?i)` opens no group.
      if (pattern[end] !== ")") reading.open()
      return end + 1
    }
    case ")":
      reading.close()
      return at + 1
    case "|":
      reading.add(2)
      return at + 1
    case "*":
    case "+":
    case "?":
      reading.group.total += 2
      reading.group.last += 2
      return at + 1
    case "{":
      return readRepeat(pattern, at, reading)
    default:
      reading.add(1)
      return at + 1
  }
}

const readRepeat = (pattern: string, at: number, reading: Reading): number => {
  const [text, min, comma, max] = COUNTED.exec(pattern.slice(at, at + 24)) ?? []
  if (text === undefined) {
    reading.add(1)
    return at + 1
  }
  reading.repeat(Math.max(Number(min), comma === undefined || max === "" ? 0 : Number(max)))
  return at + text.length
}

/** Measures the text of a pattern, in one pass. */
export const measure = (pattern: string): PatternMeasure => {
  const reading = new Reading()
  let at = 0
  while (at < pattern.length) {
    // WHY: between `\Q` and `\E` every character is a literal.
    const quoted = pattern.startsWith("\\Q", at)
    const end = quoted ? pattern.indexOf("\\E", at) : -1
    if (quoted) {
      const length = (end === -1 ? pattern.length : end) - at - 2
      for (let count = 0; count < length; count++) reading.add(1)
      at = end === -1 ? pattern.length : end + 2
    } else at = readPart(pattern, at, reading)
  }
  while (reading.outer.length > 0) reading.close()
  // WHY: an empty pattern is also an instruction.
  return { size: Math.max(reading.group.total, 1) + 2, repeatMax: reading.repeatMax }
}
