/** Versions as lists of tokens: every order of versions is the lexicographical order of such lists. */

/** A part of a version. Its rank counts first, then its text, then its number. */
export interface Token {
  readonly rank: number
  readonly text: string
  /** Digits without leading zeros; empty for zero. */
  readonly digits: string
}

/** A version as its type reads it. */
export interface Tokens {
  readonly tokens: ReadonlyArray<Token>
  /** The rank of the end of a list, against tokens of a longer one. */
  readonly endRank: number
}

/** A token of a number, written in digits of any length. */
export const numbered = (rank: number, digits = "", text = ""): Token => ({
  rank,
  text,
  digits: digits.replace(/^0+/, "")
})

/** A token of a text. */
export const worded = (rank: number, text: string): Token => ({ rank, text, digits: "" })

const sign = (left: string, right: string): -1 | 0 | 1 => (left < right ? -1 : left > right ? 1 : 0)

const compareDigits = (left: string, right: string): -1 | 0 | 1 =>
  left.length === right.length ? sign(left, right) : left.length < right.length ? -1 : 1

const compareTokens = (left: Token, right: Token): -1 | 0 | 1 => {
  if (left.rank !== right.rank) return left.rank < right.rank ? -1 : 1
  return sign(left.text, right.text) || compareDigits(left.digits, right.digits)
}

/** Compares two versions of one type. */
export const compare = (left: Tokens, right: Tokens): -1 | 0 | 1 => {
  const end = worded(left.endRank, "")
  const length = Math.max(left.tokens.length, right.tokens.length)
  for (let index = 0; index < length; index += 1) {
    const order = compareTokens(left.tokens[index] ?? end, right.tokens[index] ?? end)
    if (order !== 0) return order
  }
  return 0
}
