/** The parts of a format of `strptime`: letters, white space and directives, and what each may match. */

/** Names by their first three letters. */
export const WEEKDAYS: ReadonlyArray<string> = [
  "sunday",
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday"
]
/** Names by their first three letters. */
export const MONTHS: ReadonlyArray<string> = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december"
]

/** Which name a text is, whole or shortened. */
export const indexIn = (names: ReadonlyArray<string>, text: string): number =>
  names.findIndex((name) => name.slice(0, 3) === text.slice(0, 3).toLowerCase())

/** One part of a format. */
export type DatePart =
  | { readonly _tag: "Letter"; readonly letter: string }
  | { readonly _tag: "Space" }
  | { readonly _tag: "Directive"; readonly letter: string }
  | { readonly _tag: "Year" }

/** The directive that a part with its match is, if it is one. */
export const directiveOf = (part: DatePart, matched: string): string | undefined => {
  if (part._tag === "Directive") return part.letter
  return part._tag === "Year" ? (matched.length === 2 ? "y" : "Y") : undefined
}

/** Directives that are short for others. */
const SHORTHAND: ReadonlyMap<string, string> = new Map([
  ["A", "%a"],
  ["B", "%b"],
  ["c", "%a %b %d %H:%M:%S %Y"],
  ["D", "%m/%d/%y"],
  ["e", "%d"],
  ["F", "%Y-%m-%d"],
  ["h", "%b"],
  ["R", "%H:%M"],
  ["r", "%I:%M:%S %p"],
  ["T", "%H:%M:%S"],
  ["X", "%H:%M:%S"]
])

const isSpace = (letter: string): boolean => letter.trim() === ""

const partsOf = (format: string): ReadonlyArray<DatePart> => {
  const letters = [...format]
  const parts: Array<DatePart> = []
  for (let index = 0; index < letters.length; index += 1) {
    const letter = letters[index] ?? ""
    if (isSpace(letter)) {
      if (parts.at(-1)?._tag !== "Space") parts.push({ _tag: "Space" })
    } else if (letter !== "%" || index + 1 === letters.length) {
      parts.push({ _tag: "Letter", letter })
    } else {
      index += 1
      parts.push(...directive(letters[index] ?? ""))
    }
  }
  return parts
}

const directive = (letter: string): ReadonlyArray<DatePart> => {
  const longer = SHORTHAND.get(letter)
  if (longer !== undefined) return partsOf(longer)
  if (letter === "x") return [...partsOf("%m/%d/"), { _tag: "Year" }]
  if (letter === "n" || letter === "t" || isSpace(letter)) return [{ _tag: "Space" }]
  return [{ _tag: NUMBERS.has(letter) || WORDS.has(letter) ? "Directive" : "Letter", letter }]
}

/** The parts of a format. */
export const parse = (format: string): ReadonlyArray<DatePart> => partsOf(format)

interface Range {
  readonly min: number
  readonly max: number
  readonly digits: number
  /** Whether fewer digits are allowed when no digit follows. */
  readonly isShort: boolean
}

/** Directives that are numbers. */
const NUMBERS: ReadonlyMap<string, Range> = new Map([
  ["C", { min: 0, max: 99, digits: 2, isShort: false }],
  ["d", { min: 1, max: 31, digits: 2, isShort: true }],
  ["H", { min: 0, max: 23, digits: 2, isShort: true }],
  ["I", { min: 0, max: 12, digits: 2, isShort: true }],
  ["j", { min: 1, max: 369, digits: 3, isShort: true }],
  ["m", { min: 1, max: 12, digits: 2, isShort: true }],
  ["M", { min: 0, max: 59, digits: 2, isShort: true }],
  ["S", { min: 0, max: 60, digits: 2, isShort: true }],
  ["U", { min: 0, max: 53, digits: 2, isShort: true }],
  ["W", { min: 0, max: 53, digits: 2, isShort: true }],
  ["w", { min: 0, max: 6, digits: 1, isShort: false }],
  ["y", { min: 0, max: 99, digits: 2, isShort: false }],
  ["Y", { min: 0, max: 9999, digits: 4, isShort: false }]
])

const digitsAt = (text: string, start: number, max: number): number => {
  let count = 0
  while (count < max && /^[0-9]$/.test(text.charAt(start + count))) count += 1
  return count
}

const numberLengths = (range: Range, text: string, start: number): ReadonlyArray<number> => {
  const count = digitsAt(text, start, range.digits)
  if (count === 0 || (count < range.digits && !range.isShort)) return []
  const value = Number.parseInt(text.slice(start, start + count), 10)
  return value >= range.min && value <= range.max ? [count] : []
}

const nameLengths =
  (names: ReadonlyArray<string>) =>
  (text: string, start: number): ReadonlyArray<number> => {
    const rest = text.slice(start, start + 9).toLowerCase()
    const name = names.find((one) => rest.startsWith(one.slice(0, 3)))
    if (name === undefined) return []
    return rest.startsWith(name) && name.length > 3 ? [name.length, 3] : [3]
  }

const halfLengths = (text: string, start: number): ReadonlyArray<number> => {
  const rest = text.slice(start, start + 4).toLowerCase()
  if (/^[ap]m/.test(rest)) return [2]
  return /^[ap]\.m\./.test(rest) ? [4] : []
}

const zoneLengths = (text: string, start: number): ReadonlyArray<number> => {
  const rest = text.slice(start, start + 6)
  if (/^z/i.test(rest)) return [1]
  if (!/^[+-]\d\d/.test(rest)) return []
  if (rest.charAt(3) === ":") return /^...:\d\d$/.test(rest) ? [6, 4, 3] : [4, 3]
  return /^...\d\d/.test(rest) ? [5, 3] : [3]
}

/** Directives that are words. */
const WORDS: ReadonlyMap<string, (text: string, start: number) => ReadonlyArray<number>> = new Map([
  ["a", nameLengths(WEEKDAYS)],
  ["b", nameLengths(MONTHS)],
  ["p", halfLengths],
  ["z", zoneLengths]
])

const spaceLengths = (
  text: string,
  start: number,
  spend: (steps: number) => void
): ReadonlyArray<number> => {
  let count = 0
  while (start + count < text.length && isSpace(text.charAt(start + count))) count += 1
  spend(count)
  return Array.from({ length: count + 1 }, (_, index) => count - index)
}

/** The text of a match, and its step budget. */
export interface Place {
  readonly text: string
  readonly start: number
  readonly spend: (steps: number) => void
}

/** The lengths that a part may match at a position, the best choice first. */
export const lengths = (part: DatePart, { text, start, spend }: Place): ReadonlyArray<number> => {
  switch (part._tag) {
    case "Space":
      return spaceLengths(text, start, spend)
    case "Year":
      return digitsAt(text, start, 4) >= 4 ? [2, 4] : digitsAt(text, start, 2) === 2 ? [2] : []
    case "Letter":
      return text.slice(start, start + part.letter.length).toLowerCase() ===
        part.letter.toLowerCase()
        ? [part.letter.length]
        : []
    case "Directive": {
      const range = NUMBERS.get(part.letter)
      return range === undefined
        ? (WORDS.get(part.letter)?.(text, start) ?? [])
        : numberLengths(range, text, start)
    }
  }
}
