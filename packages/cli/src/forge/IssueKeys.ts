/** Finds issue keys in texts: `SHOP-12`, but not `CVE-2026-41284`. Pure. */

const KEY = /(?<![A-Za-z0-9-])([A-Z][A-Z0-9_]{1,9})-([1-9]\d{0,9})(?![\w-])/g

/** Prefixes that look like project keys but are not. */
const NONE = ["CVE", "CWE", "SHA", "UTF", "ISO", "RFC", "GHSA"]

/** The distinct keys in texts, in order; only those of the given projects, if any are given. */
export const find = (
  texts: ReadonlyArray<string>,
  projects: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const keys = texts.flatMap((text) =>
    [...text.matchAll(KEY)]
      .filter(([, project = ""]) =>
        projects.length > 0 ? projects.includes(project) : !NONE.includes(project)
      )
      .map(([key]) => key)
  )
  return [...new Set(keys)]
}
