/**
 * Reads the parts of a parsed YAML document and notes every problem with the path of its part.
 *
 * A part with a problem has its default. A misspelt key is read as the one that it was meant to be, so that problems of
 * its value are found too.
 */
import { printInput } from "../../shared/FieldErrors.js"
import * as NearestName from "../../shared/NearestName.js"
import { PROBLEMS_MAX } from "../../shared/YamlText.js"
import { PARAMETER_NAME_LENGTH_MAX, TEXT_LENGTH_MAX } from "./TrustPolicySyntax.js"

/** A path in a document: keys and list positions. */
export type Path = ReadonlyArray<string | number>

/** A value with its path; an absent one is undefined. */
export interface Part {
  readonly path: Path
  readonly value: unknown
}

/** The rule of a text: it must match the pattern and have at most so many characters. */
export interface TextRule {
  readonly pattern?: RegExp
  /** The sentence that asks for a text that matches. */
  readonly expected: string
  readonly lengthMax?: number
}

type Mapping = { readonly [key: string]: unknown }

/** Whether a value is a mapping. */
export const isMapping = (value: unknown): value is Mapping =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Words in backticks. */
export const quote = (words: ReadonlyArray<string>): string =>
  words.map((word) => `\`${word}\``).join(", ")

/** The end of a message that shows a value that is not accepted. */
export const instead = (value: unknown): string =>
  isMapping(value)
    ? ", not a mapping"
    : Array.isArray(value)
      ? ", not a list"
      : `, not \`${value === null ? "null" : printInput(value)}\``

const plain = (key: string): string => key.toLowerCase().replace(/[-_ ]/g, "")

/** The longest text that is compared with known words. WHY: a comparison takes the product of both lengths. */
const COMPARED_LENGTH_MAX = 40
/** The most known words that advice compares and lists. */
const LISTED_MAX = 20

/** The known word that a text was meant to be, as advice; without one the first of the words. */
export const advice = (text: string, known: ReadonlyArray<string>, among: string): string => {
  const first = known.slice(0, LISTED_MAX)
  const meant =
    text.length > COMPARED_LENGTH_MAX
      ? undefined
      : (first.find((word) => plain(word) === plain(text)) ?? NearestName.find(text, first))
  const more = known.length > LISTED_MAX ? " and others" : ""
  return meant === undefined ? `${among} ${quote(first)}${more}` : `write \`${meant}\``
}

/** The first item of a list that is this text. */
export const itemOf = ({ path, value }: Part, text: string): Part => ({
  path: Array.isArray(value) ? [...path, value.indexOf(text)] : path,
  value: text
})

/** Reads parts; `note` receives every problem. */
export class PartReader {
  /** Keys as the text has them, by the paths that they were read as. */
  readonly #written = new Map<string, string>()

  constructor(private readonly note: (path: Path, message: string) => void) {}

  #count = 0

  /** Whether more problems are noted than are shown, so that looking for others has no use. */
  get isFull(): boolean {
    return this.#count > PROBLEMS_MAX
  }

  /** Notes a problem of a part. */
  report({ path }: Part, message: string): void {
    this.#count += 1
    this.note(
      this.#written.size === 0
        ? path
        : path.map((key, at) => this.#written.get(path.slice(0, at + 1).join("\n")) ?? key),
      message
    )
  }

  /** The members of a mapping by their keys. */
  members<Key extends string>(part: Part, keys: ReadonlyArray<Key>): (key: Key) => Part {
    const { path, value } = part
    const found = new Map<string, unknown>()
    if (isMapping(value)) {
      for (const key of keys) if (Object.hasOwn(value, key)) found.set(key, value[key])
      for (const key of Object.keys(value))
        if (!found.has(key)) this.#unknown({ part, keys, found }, key, value[key])
    } else this.report(part, `expected a mapping with the keys ${quote(keys)}${instead(value)}`)
    return (key) => ({ path: [...path, key], value: found.get(key) })
  }

  #unknown(
    place: { part: Part; keys: ReadonlyArray<string>; found: Map<string, unknown> },
    key: string,
    value: unknown
  ): void {
    const { found, keys, part } = place
    this.report(
      { path: [...part.path, key], value },
      `unknown key \`${printInput(key)}\`: ${advice(key, keys, "the keys here are")}`
    )
    const meant = keys.find((known) => plain(known) === plain(key)) ?? NearestName.find(key, keys)
    if (meant === undefined || found.has(meant)) return
    found.set(meant, value)
    this.#written.set([...part.path, meant].join("\n"), key)
  }

  /** Notes that a member is missing, if it is; `what` is the text to add. */
  require(part: Part, member: Part, what: string): boolean {
    if (member.value !== undefined) return true
    if (isMapping(part.value)) this.report(part, `\`${member.path.at(-1)}\` is missing: ${what}`)
    return false
  }

  /** The items of a list; an absent list has none. */
  list(part: Part, { most, noun }: { most: number; noun: string }): ReadonlyArray<Part> {
    const { path, value } = part
    if (value === undefined) return []
    if (!Array.isArray(value)) {
      this.report(part, `expected a list: begin each item with \`- \`${instead(value)}`)
      return []
    }
    if (value.length > most)
      this.report(
        { path: [...path, most], value },
        `more than ${most} ${noun}: remove those that are not needed`
      )
    return value
      .slice(0, most)
      .map((item: unknown, index) => ({ path: [...path, index], value: item }))
  }

  /** The texts of a list, without those that have a problem; null if it is absent. A text must not occur twice. */
  texts(part: Part, rule: TextRule): ReadonlyArray<string> | null {
    const { value } = part
    if (value === undefined) return null
    if (Array.isArray(value) && value.length === 0)
      this.report(part, `the list is empty: ${rule.expected}, or remove the key`)
    const taken = new Set<string>()
    for (const item of this.list(part, { most: Number.POSITIVE_INFINITY, noun: "" })) {
      const text = this.text(item, rule)
      if (text === null) continue
      if (taken.has(text))
        this.report(item, `\`${printInput(text)}\` occurs twice: keep one of them`)
      taken.add(text)
    }
    return [...taken]
  }

  /** A text; null if it is absent or has a problem. */
  text(part: Part, rule: TextRule): string | null {
    const { value } = part
    const { expected, lengthMax = TEXT_LENGTH_MAX, pattern } = rule
    if (value === undefined) return null
    if (typeof value !== "string") {
      const advice = typeof value === "number" ? ": put it in quotes" : ""
      this.report(part, `expected text${instead(value)}${advice}`)
      return null
    }
    if (value.length > lengthMax) {
      this.report(part, `longer than ${lengthMax} characters: shorten it`)
      return null
    }
    if (value !== "" && pattern?.test(value) !== false) return value
    this.report(part, `${expected}${instead(value)}`)
    return null
  }

  /** One of some words; null if it is absent or has a problem. */
  word<Word extends string>(part: Part, words: ReadonlyArray<Word>, noun: string): Word | null {
    const text = this.text(part, { expected: `expected one of ${quote(words)}` })
    if (text === null) return null
    const word = words.find((each) => each === text)
    if (word !== undefined) return word
    this.report(
      part,
      `unknown ${noun} \`${printInput(text)}\`: ${advice(text, words, `the ${noun}s are`)}`
    )
    return null
  }

  /** A number between bounds; null if it is absent or has a problem. */
  number(
    part: Part,
    { from, to, whole }: { from: number; to: number; whole: boolean }
  ): number | null {
    const { value } = part
    if (value === undefined) return null
    const isNumber = typeof value === "number" && (!whole || Number.isInteger(value))
    if (isNumber && value >= from && value <= to) return value
    const noun = whole ? "a whole number" : "a number"
    this.report(part, `expected ${noun} from ${from} to ${to}${instead(value)}`)
    return null
  }

  /** `true` or `false`; `absent` if it is absent or has a problem. */
  boolean(part: Part, absent: boolean): boolean {
    const { value } = part
    if (typeof value === "boolean") return value
    if (value !== undefined) this.report(part, `expected \`true\` or \`false\`${instead(value)}`)
    return absent
  }

  /** The members of a mapping of texts; null if it is absent or no mapping. */
  dictionary(part: Part, rule: TextRule): { readonly [name: string]: string } | null {
    const { path, value } = part
    if (value === undefined) return null
    if (!isMapping(value)) {
      this.report(part, `expected a mapping of names to texts${instead(value)}`)
      return null
    }
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, member]) => {
        const item = { path: [...path, name], value: member }
        if (name.length > PARAMETER_NAME_LENGTH_MAX)
          this.report(
            item,
            `a name longer than ${PARAMETER_NAME_LENGTH_MAX} characters: shorten it`
          )
        const text = this.text(item, rule)
        return text === null ? [] : [[name, text]]
      })
    )
  }
}
