/**
 * What a text that is no expression was probably meant to be: the spellings of other languages, put right at once.
 *
 * A repair is proposed only where it is a valid expression. It says nothing about what the text means.
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as PolicyExpression from "../PolicyExpression.js"
import { FACTS, FIELDS } from "../PolicyExpressionTree.js"

/** The longest repair that is proposed: a longer one hides the problem. */
const LENGTH_MAX = 240

/** The lexemes of a text, each tried in this order: space, texts in quotes, signs, words. */
const LEXEMES: ReadonlyArray<RegExp> = [
  /\s+/uy,
  /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[“”„][^“”]*[“”]/suy,
  /\$\{\{|\}\}|={1,3}|!==?|<>|<=|>=|&&?|\|\|?|[<>!()[\],]/uy,
  /[^\s"'“”„=!<>&|()[\],]+/uy
]

const SYMBOLS = new Map([
  ["=", "=="],
  ["===", "=="],
  ["!==", "!="],
  ["<>", "!="],
  ["&", "and"],
  ["&&", "and"],
  ["|", "or"],
  ["||", "or"],
  ["!", "not"],
  ["${{", ""],
  ["}}", ""]
])

const WORDS = new Map([
  ["and", "and"],
  ["or", "or"],
  ["not", "not"],
  ["in", "in"],
  ["is", "=="],
  ["equals", "=="],
  ["true", "true"],
  ["false", "false"],
  ["null", "null"],
  ...FIELDS.map((field) => [field, field] as const)
])

const NUMBER = /^[+-]?[0-9]+(?:\.[0-9]+)?$/
const METHOD = /^(.+)\.(startsWith|endsWith|contains|includes|matches)$/i
const SPECIAL = /[.*+?^${}()|[\]\\/]/g

const lexemeAt = (text: string, at: number): string | undefined => {
  for (const pattern of LEXEMES) {
    pattern.lastIndex = at
    const [found] = pattern.exec(text) ?? []
    if (found !== undefined) return found
  }
  return undefined
}

/** The lexemes of a text in any of the usual spellings; undefined where it has a character of none. */
const lexemesOf = (text: string): ReadonlyArray<string> | undefined => {
  const found: Array<string> = []
  for (let at = 0; at < text.length; ) {
    const lexeme = lexemeAt(text, at)
    if (lexeme === undefined) return undefined
    if (lexeme.trim() !== "") found.push(lexeme)
    at += lexeme.length
  }
  return found
}

const isQuoted = (lexeme: string): boolean => /^["'“”„]/u.test(lexeme)

const quoted = (text: string): string => `"${text.replace(/(["\\])/g, "\\$1")}"`

/** A name as conditions spell it; undefined for a word that is no name. */
const nameOf = (word: string): string | undefined => {
  const lower = word.toLowerCase()
  const known = WORDS.get(lower)
  if (known !== undefined) return known
  if (lower.startsWith(FACTS)) return `${FACTS}${word.slice(FACTS.length)}`
  const tag = /^(?:flow\.)?tags?\.(.+)$/i.exec(word)?.[1]
  return tag === undefined ? undefined : `flow.tags.${tag}`
}

/** A call in the spelling of methods, such as `name.startsWith("a")`: its text, and how many lexemes it took. */
const methodAt = (lexemes: ReadonlyArray<string>, at: number): string | undefined => {
  const [, operand = "", method = ""] = METHOD.exec(lexemes[at] ?? "") ?? []
  const argument = lexemes[at + 2] ?? ""
  if (lexemes[at + 1] !== "(" || !isQuoted(argument) || lexemes[at + 3] !== ")") return undefined
  const name = nameOf(operand)
  if (name === undefined) return undefined
  const bare = argument.slice(1, -1)
  // WHY one backslash: in a text of the language it stays as it is before any character that is no escape.
  const literal = method.toLowerCase() === "matches" ? bare : bare.replace(SPECIAL, "\\$&")
  const before = method.toLowerCase() === "startswith" ? "^" : ""
  const after = method.toLowerCase() === "endswith" ? "$" : ""
  return `matches(${name}, "${before}${literal}${after}")`
}

const METHOD_LEXEMES = 4

/** One lexeme as the language spells it. */
const spelled = (
  lexeme: string,
  next: string | undefined,
  subject: PolicyExpression.Subject
): string => {
  const symbol = SYMBOLS.get(lexeme)
  if (symbol !== undefined) return symbol
  if (/^[“”„]/u.test(lexeme)) return quoted(lexeme.slice(1, -1))
  if (isQuoted(lexeme) || NUMBER.test(lexeme) || /^[<>()[\],!=]+$/.test(lexeme)) return lexeme
  const name = nameOf(lexeme)
  if (name !== undefined) return name
  const call = lexeme.toLowerCase()
  if (next === "(") return call === "exists" || call === "matches" ? call : lexeme
  // WHY: most words of a condition on facts are names that lack `facts.`, and a text would have another meaning.
  return subject === "facts" ? lexeme : quoted(lexeme)
}

const respelled = (lexemes: ReadonlyArray<string>, subject: PolicyExpression.Subject): string => {
  const parts: Array<string> = []
  for (let at = 0; at < lexemes.length; at++) {
    const method = methodAt(lexemes, at)
    parts.push(method ?? spelled(lexemes[at] ?? "", lexemes[at + 1], subject))
    if (method !== undefined) at += METHOD_LEXEMES - 1
  }
  return parts
    .filter((part) => part !== "")
    .join(" ")
    .replace(/([([]) /g, "$1")
    .replace(/ ([)\],])/g, "$1")
    .replace(/\b(exists|matches) \(/g, "$1(")
}

/** A valid expression that a text was probably meant to be; the text itself where it is one. */
export const repair = (
  text: string,
  subject: PolicyExpression.Subject = "row"
): Option.Option<string> => {
  const parse = subject === "row" ? PolicyExpression.parse : PolicyExpression.parseWhere
  const bare = text.trim()
  if (Either.isRight(parse(bare))) return Option.some(bare)
  const lexemes = bare.length > 2 * LENGTH_MAX ? undefined : lexemesOf(bare)
  if (lexemes === undefined) return Option.none()
  const meant = respelled(lexemes, subject)
  return meant.length <= LENGTH_MAX && Either.isRight(parse(meant))
    ? Option.some(meant)
    : Option.none()
}
