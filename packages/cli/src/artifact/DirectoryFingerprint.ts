/**
 * The fingerprint of a folder, by the convention of existing clients and stored records.
 *
 * It hashes entries depth first, in byte order of their names: the SHA-256 of each name; then, for a file or a link
 * to a file, the SHA-256 of its content; for a link to a folder, the SHA-256 of the link's target. Moving a file into
 * a neighbouring folder may keep the fingerprint, which is why the type `tree` exists.
 */
import { createHash } from "node:crypto"
import {
  closeSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
  statSync
} from "node:fs"
import { posix } from "node:path"
import { unreadable } from "../shared/CommandFailure.js"
import * as Exclusion from "./Exclusion.js"

/** A fingerprint, and the entries that it covers. */
export interface DirectoryFingerprint {
  readonly fingerprint: string
  /** The covered entries, relative to the root. */
  readonly entries: ReadonlyArray<string>
  readonly leftOut: number
}

/** The paths and patterns to exclude. */
export interface DirectoryOptions {
  readonly exclude: ReadonlyArray<string>
  /** Names of further ignore files in the folder; `.attestry_ignore` is always read. */
  readonly ignoreFiles: ReadonlyArray<string>
}

const PIECE_BYTES = 262_144

const sha256 = (content: string | Uint8Array): string =>
  createHash("sha256").update(content).digest("hex")

/** The SHA-256 of a file, read in chunks. */
export const ofFile = (path: string | Buffer): string => {
  const hash = createHash("sha256")
  const piece = Buffer.allocUnsafe(PIECE_BYTES)
  const file = openSync(path, "r")
  try {
    for (;;) {
      const size = readSync(file, piece, 0, PIECE_BYTES, null)
      if (size === 0) return hash.digest("hex")
      hash.update(piece.subarray(0, size))
    }
  } finally {
    closeSync(file)
  }
}

/** The hash that follows an entry's name; undefined for a folder, whose entries follow instead. */
const contentOf = (path: string): string | undefined => {
  const bytes = Exclusion.bytesOf(path)
  const found = lstatSync(bytes)
  if (found.isDirectory()) return undefined
  if (found.isFile()) return ofFile(bytes)
  const shown = Exclusion.textOf(path)
  if (!found.isSymbolicLink()) throw unreadable(`${shown} is no file, folder or link`)
  const target = statSync(bytes, { throwIfNoEntry: false })
  if (target === undefined) throw unreadable(`${shown} is a link to nothing`)
  if (target.isDirectory()) return sha256(readlinkSync(bytes, { encoding: "buffer" }))
  if (target.isFile()) return ofFile(bytes)
  throw unreadable(`${shown} is a link to something that is no file or folder`)
}

/** The ignore file that is read by default. */
const IGNORE_FILE = ".attestry_ignore"

/** The paths of the existing ignore files. */
const ignoreFilesIn = (root: string, names: ReadonlyArray<string>): ReadonlyArray<string> =>
  [IGNORE_FILE, ...names]
    .map((name) => posix.join(root, Exclusion.pathOf(name)))
    .filter(
      (path) => statSync(Exclusion.bytesOf(path), { throwIfNoEntry: false })?.isFile() === true
    )

/** The excluded paths. */
const excludedFrom = (
  root: string,
  { exclude, ignoreFiles }: DirectoryOptions
): ReadonlySet<string> => {
  const files = ignoreFilesIn(root, ignoreFiles)
  const ignored = files.flatMap((path) =>
    Exclusion.patternsIn(readFileSync(Exclusion.bytesOf(path), "utf8"))
  )
  const excluded = new Set(Exclusion.find(root, [...exclude, ...ignored]))
  // WHY: existing clients cover an ignore file even if a pattern excludes it.
  for (const path of files) excluded.delete(path)
  return excluded
}

/** The fingerprint of a folder; the path must be absolute. */
export const of = (folder: string, options: DirectoryOptions): DirectoryFingerprint => {
  const root = Exclusion.pathOf(folder)
  const excluded = excludedFrom(root, options)
  const hash = createHash("sha256")
  const entries: Array<string> = []
  let leftOut = 0
  const visit = (path: string): void => {
    for (const name of Exclusion.namesIn(path)) {
      const entry = posix.join(path, name)
      if (excluded.has(entry)) {
        leftOut++
        continue
      }
      entries.push(Exclusion.textOf(posix.relative(root, entry)))
      hash.update(sha256(Exclusion.bytesOf(name)))
      const content = contentOf(entry)
      if (content === undefined) visit(entry)
      else hash.update(content)
    }
  }
  visit(root)
  return { fingerprint: hash.digest("hex"), entries, leftOut }
}
