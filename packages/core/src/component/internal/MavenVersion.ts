/**
 * The order of versions of Maven: numbers and qualifiers, some of which come before the release that they lead to.
 *
 * Zeros and words for a release count for nothing at the end, before a hyphen and before a qualifier.
 */
import { numbered, type Token, type Tokens, worded } from "./VersionTokens.js"

const PRE_RELEASES: ReadonlyMap<string, number> = new Map([
  ["alpha", 0],
  ["beta", 1],
  ["milestone", 2],
  ["rc", 3],
  ["cr", 3],
  ["snapshot", 4]
])
const SHORT: ReadonlyMap<string, string> = new Map([
  ["a", "alpha"],
  ["b", "beta"],
  ["m", "milestone"]
])
const RELEASE_WORDS: ReadonlySet<string> = new Set(["", "ga", "final", "release"])

const END = 5
const RELEASE = 6
const SERVICE_PACK = 7
const QUALIFIER = 8
const NUMBER_AFTER_HYPHEN = 9
const NUMBER = 10

const PARTS = /([.-]?)(\d+|[^\d.-]+|(?=[.-]|$))/g

const qualifier = (word: string): Token => {
  if (RELEASE_WORDS.has(word)) return worded(RELEASE, "")
  if (word === "sp") return worded(SERVICE_PACK, "")
  const rank = PRE_RELEASES.get(word)
  return rank === undefined ? worded(QUALIFIER, word) : worded(rank, "")
}

interface Part {
  readonly token: Token
  readonly isAfterHyphen: boolean
}

const partsOf = (version: string): ReadonlyArray<Part> => {
  const matches = [...version.toLowerCase().matchAll(PARTS)]
  return matches.map(([, separator = "", word = ""], index) => {
    const isAfterHyphen = separator === "-" || (separator === "" && index > 0)
    if (word === "" || /^\d/.test(word)) {
      const token = numbered(isAfterHyphen ? NUMBER_AFTER_HYPHEN : NUMBER, word)
      return { token, isAfterHyphen }
    }
    const [, next = "", digits = ""] = matches[index + 1] ?? []
    const isBeforeNumber = next === "" && /^\d/.test(digits)
    return { token: qualifier((isBeforeNumber && SHORT.get(word)) || word), isAfterHyphen }
  })
}

const isNull = ({ rank, digits }: Token): boolean =>
  rank === RELEASE || (rank >= NUMBER_AFTER_HYPHEN && digits === "")

const isQualifier = ({ rank }: Token): boolean => rank < NUMBER_AFTER_HYPHEN

/** Reads a version; every text is one. */
export const read = (version: string): Tokens => {
  const kept: Array<Token> = []
  let isTrimmed = true
  for (const { token, isAfterHyphen } of [...partsOf(version)].reverse()) {
    const isDropped: boolean = isTrimmed && isNull(token)
    if (!isDropped) kept.push(token)
    isTrimmed = isDropped || isAfterHyphen || isQualifier(token)
  }
  return { tokens: kept.reverse(), endRank: END }
}
