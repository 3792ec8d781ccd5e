/** Evidence files on this machine or stdin: their bytes, and the documents that the reader finds in them. */
import { readFileSync, statSync } from "node:fs"
import { resolve } from "node:path"
import type { EvidenceFile } from "@attestry/evidence-intake/EvidenceDocument"
import * as EvidenceReader from "@attestry/evidence-intake/EvidenceReader"
import * as Either from "effect/Either"
import { unreadable, usage } from "../shared/CommandFailure.js"
import type { Host } from "../shared/Host.js"

/** A file that was read, with its bytes. */
export interface ReadFile {
  /** The path of the command line. */
  readonly path: string
  readonly bytes: Buffer
  readonly file: EvidenceFile
}

/** The path that stands for stdin. */
export const STDIN = "-"

/** A file to read: its path, the machine that has it, and the most bytes of it. */
export interface Asked {
  readonly host: Pick<Host, "cwd" | "readStdin">
  readonly path: string
  readonly bytesMax: number
  /** What to do with a file that no reader knows. */
  readonly hint?: string
}

const bytesOf = async ({ bytesMax, host, path }: Asked): Promise<Buffer> => {
  const tooLarge = () => unreadable(`${named(path)} is too large to read`)
  if (path === STDIN) {
    const read = Buffer.from(await host.readStdin(bytesMax))
    if (read.byteLength > bytesMax) throw tooLarge()
    return read
  }
  const absolute = resolve(host.cwd, path)
  const found = statSync(absolute, { throwIfNoEntry: false })
  if (found?.isFile() !== true) throw unreadable(`there is no file ${path}`)
  if (found.size > bytesMax) throw tooLarge()
  return readFileSync(absolute)
}

/** Refuses a command line that names stdin twice, because its bytes can be read once. */
export const requireOneStdin = (paths: ReadonlyArray<string>): void => {
  if (paths.filter((path) => path === STDIN).length > 1)
    throw usage("- is stdin, and can be named once")
}

/** What a path is called in messages. */
export const named = (path: string): string => (path === STDIN ? "stdin" : path)

/** Reads a file, or stdin for `-`; fails if it is none of the formats that are read. */
export const read = async (asked: Asked): Promise<ReadFile> => {
  const { bytesMax, hint, path } = asked
  const bytes = await bytesOf(asked)
  const file = Either.getOrElse(
    EvidenceReader.read(bytes, { fileBytes: bytesMax }),
    ({ line, message }) => {
      const at = line === null ? "" : ` line ${line}:`
      throw unreadable(`${named(path)}:${at} ${message}`, hint)
    }
  )
  return { path, bytes, file }
}
