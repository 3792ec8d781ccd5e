/**
 * Checks a JSON text without parsing it: nesting, names that an object has twice, and values that no store
 * preserves (NUL, unpaired surrogates, numbers beyond the range of a double).
 *
 * One pass that skips over strings. Names are compared after unescaping. Whether the text is JSON is left to
 * the parser. Two readers of one text must not disagree. P-JSON, P-PG
 */
import { fieldOf, withInput } from "./FieldErrors.js"
import { Problems } from "./Problems.js"
import { isUnstorable } from "./StorableText.js"

/** The deepest nesting of values. */
export const DEPTH_MAX = 64

/** The error of a member whose name its object has twice. */
export const REPEATED = "Field should occur only once [input: …]"

/** Escapes that can produce such characters. */
const SUSPECT = /\\u(?:0000|[dD][89a-fA-F])/

const unstorable = "String should not contain NUL or unpaired surrogates"

const QUOTE = 34
const COMMA = 44
const LIST = 91
const LIST_END = 93
const OBJECT = 123
const OBJECT_END = 125

const isDigit = (code: number): boolean => code >= 48 && code <= 57
const isExponent = (code: number): boolean => code === 69 || code === 101

/** Names of an object are compared one by one up to this many, and by a set beyond. */
const FEW = 12

/** An object or a list whose end is not reached; all at one depth share one. */
interface Level {
  isObject: boolean
  /** The number of entries before this one. */
  index: number
  /** The offsets of the names so far, without quotes. */
  readonly places: Array<number>
  /** The names so far, once they are many or one has an escape. */
  names: Set<string> | undefined
  /** The last name, unescaped, when it has an escape. */
  decoded: string | undefined
}

const newLevel = (): Level => ({
  isObject: false,
  index: 0,
  places: [],
  names: undefined,
  decoded: undefined
})

/** How many objects, lists, names of members and further items of lists a text has, as far as it was checked. */
export interface JsonCounts {
  readonly objects: number
  readonly lists: number
  readonly names: number
  readonly items: number
}

const NUMBER = /[+\-.\dEe]*/y

/** An incremental check of one text. */
export class JsonPrecheck {
  readonly #text: string
  readonly #problems: Problems
  readonly #root: ReadonlyArray<PropertyKey>
  readonly #levels: Array<Level> = []
  #at = 0
  #depth = 0
  /** The offset of the next escape at or after the current one. */
  #escape: number
  #expectsName = false
  #isTooDeep = false
  #objects = 0
  #lists = 0
  #names = 0
  #items = 0

  /** `root` is the path to this text in an enclosing one; problems are added to those given. */
  constructor(
    text: string,
    root: ReadonlyArray<PropertyKey> = [],
    problems: Problems = new Problems()
  ) {
    this.#text = text
    this.#root = root
    this.#problems = problems
    this.#escape = this.#escapeFrom(0)
  }

  /** Whether the text nests too deep. */
  get isTooDeep(): boolean {
    return this.#isTooDeep
  }

  /** The counts so far. */
  get counts(): JsonCounts {
    return { objects: this.#objects, lists: this.#lists, names: this.#names, items: this.#items }
  }

  /** The problems so far. */
  get problems(): Problems {
    return this.#problems
  }

  /** Checks about so many more characters; true when the check is complete or pointless. */
  advance(length: number): boolean {
    const text = this.#text
    const until = Math.min(text.length, this.#at + length)
    let at = this.#at
    while (at < until) {
      const code = text.charCodeAt(at)
      if (code === QUOTE) at = this.#string(at)
      else {
        if (code === LIST || code === OBJECT) this.#open(code === OBJECT)
        else if (code === LIST_END || code === OBJECT_END) this.#close()
        else if (code === COMMA) this.#comma()
        else if (isExponent(code) && isDigit(text.charCodeAt(at - 1))) at = this.#number(at)
        at += 1
      }
      if (this.#isTooDeep || this.#problems.isOver) return true
    }
    this.#at = at
    return at >= text.length
  }

  #escapeFrom(at: number): number {
    const found = this.#text.indexOf("\\", at)
    return found === -1 ? this.#text.length : found
  }

  #open(isObject: boolean): void {
    if (this.#depth === DEPTH_MAX) {
      this.#isTooDeep = true
      return
    }
    if (isObject) this.#objects += 1
    else this.#lists += 1
    const level = this.#levels[this.#depth] ?? newLevel()
    this.#levels[this.#depth] = level
    level.isObject = isObject
    level.index = 0
    level.places.length = 0
    level.names = undefined
    level.decoded = undefined
    this.#depth += 1
    this.#expectsName = isObject
  }

  #close(): void {
    if (this.#depth > 0) this.#depth -= 1
    this.#expectsName = false
  }

  #comma(): void {
    const level = this.#levels[this.#depth - 1]
    if (this.#depth === 0 || level === undefined) return
    level.index += 1
    if (!level.isObject) this.#items += 1
    this.#expectsName = level.isObject
  }

  /** The offset after the string that begins here. */
  #string(start: number): number {
    const text = this.#text
    if (this.#escape < start) this.#escape = this.#escapeFrom(start)
    let end = text.indexOf('"', start + 1)
    const isEscaped = end !== -1 && this.#escape < end
    while (end !== -1 && this.#escape < end) {
      // WHY two further: an escaped character neither ends the string nor escapes.
      if (this.#escape + 1 === end) end = text.indexOf('"', end + 1)
      this.#escape = this.#escapeFrom(this.#escape + 2)
    }
    if (end === -1) return text.length
    const isName = this.#expectsName
    this.#expectsName = false
    if (isName) this.#names += 1
    if (!isEscaped) {
      if (isName) this.#name(start + 1, end)
    } else this.#escaped(text.slice(start, end + 1), isName)
    return end + 1
  }

  /** A string with escapes. */
  #escaped(written: string, isName: boolean): void {
    const isSuspect = SUSPECT.test(written)
    if (!isName && !isSuspect) return
    const meant = decode(written)
    if (meant === undefined) return
    if (isSuspect && isUnstorable(meant))
      this.#problems.add(
        this.#path(isName ? -1 : 0),
        isName ? `${unstorable} in its keys [input: …]` : `${unstorable} [input: …]`
      )
    else if (isName) this.#decodedName(meant)
  }

  #name(start: number, end: number): void {
    const level = this.#levels[this.#depth - 1]
    if (level === undefined) return
    const { places } = level
    level.decoded = undefined
    if (level.names !== undefined) {
      places.push(start, end)
      this.#nameAmong(level.names, this.#text.slice(start, end))
      return
    }
    const isRepeated = this.#isAmong(places, start, end)
    places.push(start, end)
    if (isRepeated) this.#problems.add(this.#path(0), REPEATED)
    else if (places.length > 2 * FEW) level.names = this.#namesOf(places)
  }

  #decodedName(name: string): void {
    const level = this.#levels[this.#depth - 1]
    if (level === undefined) return
    level.names ??= this.#namesOf(level.places)
    level.decoded = name
    this.#nameAmong(level.names, name)
  }

  #nameAmong(names: Set<string>, name: string): void {
    const before = names.size
    names.add(name)
    if (names.size === before) this.#problems.add(this.#path(0), REPEATED)
  }

  #namesOf(places: ReadonlyArray<number>): Set<string> {
    const names = new Set<string>()
    for (let index = 0; index < places.length; index += 2)
      names.add(this.#text.slice(places[index], places[index + 1]))
    return names
  }

  #isAmong(places: ReadonlyArray<number>, start: number, end: number): boolean {
    const text = this.#text
    for (let index = 0; index < places.length; index += 2) {
      const first = places[index] ?? 0
      if ((places[index + 1] ?? 0) - first !== end - start) continue
      let offset = 0
      while (
        start + offset < end &&
        text.charCodeAt(first + offset) === text.charCodeAt(start + offset)
      )
        offset += 1
      if (start + offset === end) return true
    }
    return false
  }

  /** A number with an exponent; returns the offset of its last character. */
  #number(at: number): number {
    const text = this.#text
    let first = at
    while (
      first > 0 &&
      (isDigit(text.charCodeAt(first - 1)) || /[.\-+]/.test(text[first - 1] ?? ""))
    )
      first -= 1
    NUMBER.lastIndex = at
    NUMBER.test(text)
    const value = Number(text.slice(first, NUMBER.lastIndex))
    if (Math.abs(value) === Number.POSITIVE_INFINITY)
      this.#problems.add(this.#path(0), withInput("Input should be a finite number", value))
    return Math.max(at, NUMBER.lastIndex - 1)
  }

  /** The path of the current value, or of an enclosing one. */
  #path(up: number): string {
    const path = this.#levels.slice(0, this.#depth + up).map((level) => {
      if (!level.isObject) return level.index
      const [start, end] = level.places.slice(-2)
      return level.decoded ?? this.#text.slice(start, end)
    })
    return fieldOf({ prefix: "", path: [...this.#root, ...path] })
  }
}

const decode = (written: string): string | undefined => {
  try {
    return String(JSON.parse(written))
  } catch {
    return undefined
  }
}
