/**
 * Package URLs by which conditions look for components: a package in all versions (`pkg:npm/lodash`), in one
 * (`pkg:npm/lodash@4.17.20`), or in a range (`pkg:npm/lodash@<4.17.21`).
 */
import * as Either from "effect/Either"
import * as Purl from "./Purl.js"
import * as VersionRange from "./VersionRange.js"

/** The versions of a package. */
export interface PurlPattern {
  /** The package, in one version or in all. */
  readonly purl: Purl.Purl
  /** Null where no range is given. */
  readonly versions: VersionRange.VersionRange | null
}

/** A text that is no pattern. */
export type InvalidPurlPattern = Purl.InvalidPurl | VersionRange.InvalidVersionRange

/** Where a range begins: its first bound has an operator. */
const RANGE = /@\s*[<>=]/

/** Parses a pattern; qualifiers and subpath of a purl are left out. */
export const parse = (text: string): Either.Either<PurlPattern, InvalidPurlPattern> => {
  const at = text.search(RANGE)
  if (at === -1) return Either.map(Purl.parse(text), (purl) => ({ purl, versions: null }))
  return Either.all({
    purl: Purl.parse(text.slice(0, at)),
    versions: VersionRange.parse(text.slice(at + 1))
  })
}

/** The names whose purls have them as they are, without percent-encoding. */
const PLAIN = /^[A-Za-z0-9._-]+$/

/** A text that the purls of a package have; WHY: most purls of a list are others, and need not be parsed. */
const textIn = ({ name }: Purl.Purl): string => {
  const last = name.slice(name.lastIndexOf("/") + 1)
  return PLAIN.test(last) ? `/${last}` : ""
}

/** Whether a normalised purl fits the pattern. */
export const compile = ({ purl, versions }: PurlPattern): ((text: string) => boolean) => {
  const start = `pkg:${purl.type}/`
  const part = textIn(purl)
  return (text) => {
    if (!text.startsWith(start) || !text.includes(part)) return false
    const found = Either.getOrElse(Purl.parse(text), () => null)
    if (found === null || found.name !== purl.name) return false
    const { type, version } = found
    return versions === null
      ? purl.version === null || version === purl.version
      : version !== null && VersionRange.matches(versions, { type, version })
  }
}

/** The versions that a pattern names, for samples of what may fit it. */
export const versionsNamed = ({ purl, versions }: PurlPattern): ReadonlyArray<string> =>
  versions === null
    ? purl.version === null
      ? []
      : [purl.version]
    : versions.alternatives.flatMap((bounds) => bounds.map(({ version }) => version))
