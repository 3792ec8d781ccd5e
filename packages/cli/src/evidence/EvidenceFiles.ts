/** Evidence files on this machine: their bytes, and the documents that the reader finds in them. */
import { readFileSync, statSync } from "node:fs"
import { resolve } from "node:path"
import type { EvidenceFile } from "@attestry/evidence-intake/EvidenceDocument"
import * as EvidenceReader from "@attestry/evidence-intake/EvidenceReader"
import * as Either from "effect/Either"
import { unreadable } from "../shared/CommandFailure.js"

/** A file that was read, with its bytes. */
export interface ReadFile {
  /** The path of the command line. */
  readonly path: string
  readonly bytes: Buffer
  readonly file: EvidenceFile
}

/** A file to read: its path, the folder of relative paths, and the most bytes of it. */
export interface Asked {
  readonly cwd: string
  readonly path: string
  readonly bytesMax: number
  /** What to do with a file that no reader knows. */
  readonly hint?: string
}

/** Reads a file; fails if it is none of the formats that are read. */
export const read = ({ bytesMax, cwd, hint, path }: Asked): ReadFile => {
  const absolute = resolve(cwd, path)
  const found = statSync(absolute, { throwIfNoEntry: false })
  if (found?.isFile() !== true) throw unreadable(`there is no file ${path}`)
  if (found.size > bytesMax) throw unreadable(`${path} is too large to read`)
  const bytes = readFileSync(absolute)
  const file = Either.getOrElse(
    EvidenceReader.read(bytes, { fileBytes: bytesMax }),
    ({ line, message }) => {
      const at = line === null ? "" : ` line ${line}:`
      throw unreadable(`${path}:${at} ${message}`, hint)
    }
  )
  return { path, bytes, file }
}
