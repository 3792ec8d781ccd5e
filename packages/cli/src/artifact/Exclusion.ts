/**
 * Resolves the exclusions of the folder convention. A pattern without `**` excludes the paths that match. A pattern
 * with `**` is split there, each part is expanded below everything found so far, and results are compared as texts; a
 * plain name below the root therefore stays in while its contents are excluded.
 *
 * Paths are byte strings (latin1), because names need not be UTF-8.
 */
import { lstatSync, readdirSync, type Stats, statSync } from "node:fs"
import { posix } from "node:path"
import { usage } from "../shared/CommandFailure.js"
import * as NamePattern from "./NamePattern.js"

/** The bytes of a path. */
export const bytesOf = (path: string): Buffer => Buffer.from(path, "latin1")

/** A text as a byte string. */
export const pathOf = (text: string): string => Buffer.from(text, "utf8").toString("latin1")

/** A path as UTF-8 text. */
export const textOf = (path: string): string => bytesOf(path).toString("utf8")

/** The stats of a path; undefined if it does not exist. */
const at = (read: typeof lstatSync, path: string): Stats | undefined => {
  try {
    return read(bytesOf(path), { throwIfNoEntry: false })
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined
    if (code === "ENOTDIR" || code === "ELOOP" || code === "ENAMETOOLONG") return undefined
    throw error
  }
}

const exists = (path: string): boolean => at(lstatSync, path) !== undefined

const isFolder = (path: string): boolean => at(statSync, path)?.isDirectory() === true

/** The names in a folder, in byte order. */
export const namesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(bytesOf(folder), { encoding: "buffer" })
    .map((name) => name.toString("latin1"))
    .sort((left, right) => (left < right ? -1 : left > right ? 1 : 0))

const compiled = (pattern: string): ReturnType<typeof NamePattern.compile> & object => {
  const elements = NamePattern.compile(textOf(pattern))
  if (elements === undefined) throw usage(`\`${textOf(pattern)}\` is no pattern: a bracket is open`)
  return elements
}

const globIn = (folder: string, pattern: string): ReadonlyArray<string> => {
  if (!isFolder(folder)) return []
  const elements = compiled(pattern)
  return namesIn(folder)
    .filter((name) => NamePattern.matches(elements, textOf(name)))
    .map((name) => posix.join(folder, name))
}

const withoutSlash = (folder: string): string => {
  if (folder === "") return "."
  return folder === "/" ? folder : folder.slice(0, -1)
}

/** The existing paths that a pattern without `**` matches; both are byte strings. */
const matching = (pattern: string): ReadonlyArray<string> => {
  if (!NamePattern.hasMeta(pattern)) return exists(pattern) ? [pattern] : []
  const end = pattern.lastIndexOf("/") + 1
  const folder = withoutSlash(pattern.slice(0, end))
  const file = pattern.slice(end)
  const folders = NamePattern.hasMeta(folder) && folder !== pattern ? matching(folder) : [folder]
  return folders.flatMap((each) => globIn(each, file))
}

/** The existing paths that an absolute pattern without `**` matches. */
export const glob = (pattern: string): ReadonlyArray<string> =>
  matching(pathOf(pattern)).map(textOf)

/** A path and everything below it; links are not followed. */
const walked = (path: string): ReadonlyArray<string> => {
  const found = at(lstatSync, path)
  if (found === undefined) return []
  if (!found.isDirectory()) return [path]
  return [path, ...namesIn(path).flatMap((name) => walked(posix.join(path, name)))]
}

const expanded = (pattern: string): ReadonlyArray<string> =>
  pattern
    .split("**")
    .reduce<ReadonlyArray<string>>(
      (found, piece) => [
        ...new Set(found.flatMap((path) => matching(`${path}${piece}`).flatMap(walked)))
      ],
      [""]
    )

/**
 * The paths below an absolute root that patterns exclude, including the contents of folders. A trailing slash of a
 * pattern has no effect, as in existing clients.
 */
export const find = (root: string, patterns: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(
    patterns.flatMap((text) => {
      const pattern = posix.join(root, pathOf(text)).replace(/\/$/, "")
      return pattern.includes("**") ? expanded(pattern) : matching(pattern)
    })
  )

/** The patterns of an ignore file: one per line; `#` starts a comment anywhere. */
export const patternsIn = (text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .map((each) => each.replace(/#.*$/, "").trim())
    .filter((each) => each !== "")
