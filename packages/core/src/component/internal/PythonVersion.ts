/** The order of versions of Python packages, as PEP 440 defines it. */
import { numbered, type Token, type Tokens, worded } from "./VersionTokens.js"

const NUMBERS = /^v?(?:(\d+)!)?(\d+(?:\.\d+)*)/
const SUFFIXES =
  /^(?:[-_.]?(alpha|beta|preview|pre|rc|a|b|c)[-_.]?(\d*))?(?:-(\d+)|[-_.]?(post|rev|r)[-_.]?(\d*))?/
const DEV = /^(?:[-_.]?(dev)[-_.]?(\d*))?$/
const LOCAL = /^[a-z0-9]+(?:[-_.][a-z0-9]+)*$/

const END = 0
/** The ranks of what follows the numbers; a further number is above all of them. */
const NUMBER = 9

const PRE_RELEASES: ReadonlyMap<string, string> = new Map([
  ["alpha", "a"],
  ["beta", "b"],
  ["c", "rc"],
  ["pre", "rc"],
  ["preview", "rc"]
])

/** The numbers without zeros at the end. */
const release = (written: string): ReadonlyArray<Token> => {
  const numbers = written.split(".").map((digits) => numbered(NUMBER, digits))
  while (numbers.at(-1)?.digits === "") numbers.pop()
  return numbers
}

const local = (written: string): ReadonlyArray<Token> =>
  written
    .split(/[-_.]/)
    .map((segment) => (/^\d+$/.test(segment) ? numbered(2, segment) : worded(1, segment)))

/** Reads a version; null for another form. */
export const read = (version: string): Tokens | null => {
  const [written = "", own, ...others] = version.trim().toLowerCase().split("+")
  const begin = NUMBERS.exec(written)
  const rest = written.slice(begin?.[0].length ?? 0)
  const suffixes = SUFFIXES.exec(rest)
  const end = DEV.exec(rest.slice(suffixes?.[0].length ?? 0))
  const isLocal = others.length === 0 && (own === undefined || LOCAL.test(own))
  if (begin === null || end === null || !isLocal) return null
  const [, epoch, numbers = ""] = begin
  const [, pre, preNumber, implied, post, postNumber] = suffixes ?? []
  const [, dev, devNumber] = end
  const isPost = implied !== undefined || post !== undefined
  const withoutPre = worded(dev !== undefined && !isPost ? 0 : 2, "")
  return {
    tokens: [
      numbered(NUMBER, epoch),
      ...release(numbers),
      pre === undefined ? withoutPre : numbered(1, preNumber, PRE_RELEASES.get(pre) ?? pre),
      isPost ? numbered(1, implied ?? postNumber) : worded(0, ""),
      dev === undefined ? worded(1, "") : numbered(0, devNumber),
      ...(own === undefined ? [] : local(own))
    ],
    endRank: END
  }
}
