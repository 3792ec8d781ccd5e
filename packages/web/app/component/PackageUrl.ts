/** Parts of package URLs in addresses and answers, which core reads in the same way. */

/** The place of the `@` before the version; -1 without one. The first character of a segment begins a scope. */
const versionAt = (purl: string): number => {
  const at = purl.lastIndexOf("@")
  return at <= 0 || purl[at - 1] === "/" ? -1 : at
}

/** Without qualifiers and subpath, which no question about components has. */
const plain = (purl: string): string => purl.trim().replace(/[?#].*$/s, "")

/** Whether a package URL has a version. */
export const isVersioned = (purl: string): boolean => {
  const text = plain(purl)
  const at = versionAt(text)
  return at > 0 && at < text.length - 1
}

/** The package URL of all versions. */
export const packageOf = (purl: string): string => {
  const text = plain(purl)
  const at = versionAt(text)
  return at < 0 ? text : text.slice(0, at)
}

/** A package URL without its scheme. */
export const short = (purl: string): string => purl.replace(/^pkg:\/*/, "")
