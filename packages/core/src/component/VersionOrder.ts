/**
 * The order of versions of components, by the type of their purl. Versions of types without a known order are equal or
 * have no order.
 */
import * as DistributionVersion from "./internal/DistributionVersion.js"
import * as MavenVersion from "./internal/MavenVersion.js"
import * as PythonVersion from "./internal/PythonVersion.js"
import * as SemanticVersion from "./internal/SemanticVersion.js"
import { compare as compareTokens, type Tokens } from "./internal/VersionTokens.js"

/** The most characters of a version that has an order. */
export const CHARACTERS_MAX = 512

const READERS: ReadonlyMap<string, (version: string) => Tokens | null> = new Map([
  ["npm", SemanticVersion.read],
  ["cargo", SemanticVersion.read],
  ["golang", SemanticVersion.read],
  ["hex", SemanticVersion.read],
  ["pub", SemanticVersion.read],
  ["pypi", PythonVersion.read],
  ["maven", MavenVersion.read],
  ["deb", DistributionVersion.readDebian],
  ["rpm", DistributionVersion.readRpm]
])

/** The beginning of a semantic version, such as `5` or `1.2`. */
const PARTIAL = /^v?\d+(\.\d+)?$/

/** A bound of a range with all numbers of a semantic version: `5` is `5.0.0`. Other bounds are as they are. */
export const completed = (type: string, bound: string): string => {
  const numbers = PARTIAL.exec(bound)
  if (numbers === null || READERS.get(type) !== SemanticVersion.read) return bound
  return numbers[1] === undefined ? `${bound}.0.0` : `${bound}.0`
}

/**
 * Compares two versions of one type of purl: -1 if the left one comes first, 0 for the same place, 1 otherwise. Null if
 * the versions differ and the type has no known order, or one of them is no version of the type.
 */
export const compare = (type: string, left: string, right: string): -1 | 0 | 1 | null => {
  if (left === right) return 0
  if (left.length > CHARACTERS_MAX || right.length > CHARACTERS_MAX) return null
  const read = READERS.get(type)
  const first = read?.(left) ?? null
  const second = read?.(right) ?? null
  return first === null || second === null ? null : compareTokens(first, second)
}
