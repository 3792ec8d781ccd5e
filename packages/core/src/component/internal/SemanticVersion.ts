/** The order of semantic versions: three numbers, and a release after its pre-releases, without build metadata. */
import { numbered, type Token, type Tokens, worded } from "./VersionTokens.js"

const FORM = /^v?(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/

const END = 0
const NUMBER = 1
const WORD = 2
const RELEASE = 3

const identifier = (text: string): Token =>
  /^\d+$/.test(text) ? numbered(NUMBER, text) : worded(WORD, text)

/** Reads a version; null for another form. */
export const read = (version: string): Tokens | null => {
  const [, major, minor, patch, preRelease] = FORM.exec(version) ?? []
  if (major === undefined) return null
  const numbers = [major, minor, patch].map((digits) => numbered(NUMBER, digits))
  const rest = preRelease?.split(".").map(identifier) ?? [worded(RELEASE, "")]
  return { tokens: [...numbers, ...rest], endRank: END }
}
