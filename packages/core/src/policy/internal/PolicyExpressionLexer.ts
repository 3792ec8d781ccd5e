/**
 * Splits the text of an expression into tokens. SPEC §2.7.2
 *
 * There is no arithmetic, so `risk-level` is one word, and a word may contain single dots. The parser gives
 * words their meaning.
 */
import * as Either from "effect/Either"

/** One problem of an expression: its position in characters from 1, and its message. */
export interface ExpressionProblem {
  readonly position: number
  readonly message: string
}

/** A token. `value` is the unquoted text of a string, and the token's text otherwise. */
export interface Token {
  readonly kind: "word" | "number" | "text" | "symbol" | "end"
  readonly value: string
  readonly position: number
}

const SPACE = /[ \t\r\n]*/y
const WORD = /\+?[A-Za-z0-9_~-]+(?:\.[A-Za-z0-9_~-]+)*/y
const SYMBOL = /==|!=|<=|>=|<|>|\(|\)|\[|\]|,/y
const QUOTED = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/sy

const DECIMAL = /^[+-]?[0-9]+(?:\.[0-9]+)?$/

const skipSpace = (text: string, at: number): number => {
  SPACE.lastIndex = at
  SPACE.test(text)
  return SPACE.lastIndex
}

const take = (pattern: RegExp, text: string, at: number): string | undefined => {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

const ESCAPED = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["\\", "\\"],
  ['"', '"'],
  ["'", "'"]
])

// WHY: a backslash before any other character stays, so that `"\."` and `"\d"` reach a pattern unchanged.
const unquote = (quoted: string): string =>
  quoted
    .slice(1, -1)
    .replace(/\\(.)/g, (whole, character: string) => ESCAPED.get(character) ?? whole)

const ADVICE = new Map([
  ["=", "compare with `==`"],
  ["&", "join conditions with `and`"],
  ["|", "join conditions with `or`"],
  ["!", "negate with `not`, or compare with `!=`"],
  ["$", "leave out `${{`: only a text in the policy file is wrapped"],
  ["{", "lists are written in `[` and `]`"],
  ["}", "the wrapper `}}` stands once, at the very end"],
  ["+", "there is no arithmetic"],
  ["*", "there is no arithmetic"],
  ["/", "there is no arithmetic; put texts in quotes"],
  [".", "a dot stands inside a word only, one at a time"],
  ['"', "this text has no end; close it with the same quote"],
  ["'", "this text has no end; close it with the same quote"]
])

const unexpected = (text: string, at: number): ExpressionProblem => {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0)
  return {
    position: at + 1,
    message: `unexpected \`${character}\`: ${ADVICE.get(character) ?? "put texts in quotes"}`
  }
}

const readToken = (text: string, at: number): { token: Token; end: number } | undefined => {
  const position = at + 1
  const quoted = take(QUOTED, text, at)
  if (quoted !== undefined)
    return { token: { kind: "text", value: unquote(quoted), position }, end: at + quoted.length }
  const word = take(WORD, text, at)
  if (word !== undefined && (DECIMAL.test(word) || !word.startsWith("+"))) {
    const kind = DECIMAL.test(word) ? "number" : "word"
    return { token: { kind, value: word, position }, end: at + word.length }
  }
  const symbol = take(SYMBOL, text, at)
  return symbol === undefined
    ? undefined
    : { token: { kind: "symbol", value: symbol, position }, end: at + symbol.length }
}

/** The tokens of a text, or the first character that begins none. */
export const read = (text: string): Either.Either<ReadonlyArray<Token>, ExpressionProblem> => {
  const tokens: Array<Token> = []
  let at = skipSpace(text, 0)
  while (at < text.length) {
    const next = readToken(text, at)
    if (next === undefined) return Either.left(unexpected(text, at))
    tokens.push(next.token)
    at = skipSpace(text, next.end)
  }
  return Either.right(tokens)
}
