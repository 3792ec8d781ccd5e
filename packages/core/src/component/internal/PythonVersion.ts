/** The order of versions of Python packages, as PEP 440 defines it. */
import { numbered, type Token, type Tokens, worded } from "./VersionTokens.js"

const FORM =
  /^v?(?:(\d+)!)?(\d+(?:\.\d+)*)(?:[-_.]?(alpha|beta|preview|pre|rc|a|b|c)[-_.]?(\d*))?(?:-(\d+)|[-_.]?(post|rev|r)[-_.]?(\d*))?(?:[-_.]?(dev)[-_.]?(\d*))?(?:\+([a-z0-9]+(?:[-_.][a-z0-9]+)*))?$/

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
  const match = FORM.exec(version.trim().toLowerCase())
  if (match === null) return null
  const [, epoch, numbers = "", pre, preNumber, implied, post, postNumber, dev, devNumber, own] =
    match
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
