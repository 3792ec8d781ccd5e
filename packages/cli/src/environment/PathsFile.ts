/**
 * The file of `report paths --file`: artifacts by name, or a list of patterns whose matches are artifacts.
 *
 * The wildcards `*`, `?` and `[…]` match within one folder. A folder's fingerprint covers its contents, so `**` is
 * refused.
 */
import { existsSync } from "node:fs"
import { dirname, resolve } from "node:path"
import * as Exclusion from "../artifact/Exclusion.js"
import * as NamePattern from "../artifact/NamePattern.js"
import * as YamlSettings from "../settings/YamlSettings.js"
import { unreadable } from "../shared/CommandFailure.js"
import type { Host } from "../shared/Host.js"

/** A path to report; without a name, its absolute path is the name. */
export interface WatchedPath {
  readonly name: string
  readonly path: string
  readonly exclude: ReadonlyArray<string>
}

/** The parsed content of the file. */
export interface Paths {
  readonly paths: ReadonlyArray<WatchedPath>
  /** Patterns without a match. */
  readonly unmatched: ReadonlyArray<string>
  /** The folders to watch for new and removed matches. */
  readonly folders: ReadonlyArray<string>
}

/** The value without a file. */
export const NONE: Paths = { paths: [], unmatched: [], folders: [] }

/** The deepest folder of a pattern above its first wildcard. */
const folderOf = (pattern: string): string =>
  NamePattern.hasMeta(pattern) ? folderOf(dirname(pattern)) : pattern

const ofPatterns = (reader: YamlSettings.Reader, cwd: string): Paths => {
  const patterns = reader.texts("artifacts") ?? []
  const wrong = patterns.findIndex((pattern) => pattern.includes("**"))
  if (wrong >= 0)
    throw reader.problem(
      ["artifacts", wrong],
      "`**` is no part of these patterns; name the folder, whose fingerprint covers what lies below it"
    )
  const found = patterns.map((pattern) => ({
    pattern,
    hits: Exclusion.glob(resolve(cwd, pattern))
  }))
  const paths = [...new Set(found.flatMap(({ hits }) => hits))].sort()
  return {
    paths: paths.map((path) => ({ name: "", path, exclude: [] })),
    unmatched: found.filter(({ hits }) => hits.length === 0).map(({ pattern }) => pattern),
    folders: [...new Set(patterns.map((pattern) => folderOf(dirname(resolve(cwd, pattern)))))]
  }
}

const ofNames = (reader: YamlSettings.Reader): Paths => {
  const paths = reader.members("artifacts", ["path", "exclude"]).map(([name, artifact]) => {
    const path = artifact.text("path")
    if (path === undefined) throw artifact.problem([], `artifact \`${name}\` has no path`)
    return { name, path, exclude: artifact.texts("exclude") ?? [] }
  })
  return { ...NONE, paths }
}

/** Reads and expands the file. */
export const read = async ({ cwd }: Host, file: string): Promise<Paths> => {
  const path = resolve(cwd, file)
  if (!existsSync(path)) throw unreadable(`there is no file ${file}`)
  const reader = await YamlSettings.read(path, file, ["version", "artifacts"])
  return Array.isArray(reader.value("artifacts")) ? ofPatterns(reader, cwd) : ofNames(reader)
}
