/** A folder of an archive in memory, whose files tests may change. */
import { createHash } from "node:crypto"
import type { ArchiveFolder } from "@attestry/sql-store/ArchiveFolder"
import { Effect, Option } from "effect"

/** A folder, and its files by path. */
export interface MemoryFolder extends ArchiveFolder {
  readonly files: Map<string, Uint8Array>
}

const digestOf = (content: Uint8Array) => createHash("sha256").update(content).digest("hex")

/** A folder with these files, which are not packed. */
export const make = (files = new Map<string, Uint8Array>()): MemoryFolder => ({
  files,
  read: (path) =>
    Effect.sync(() =>
      Option.map(Option.fromNullable(files.get(path)), (content) => ({
        content,
        digest: digestOf(content)
      }))
    ),
  write: (path, content) =>
    Effect.sync(() => {
      files.set(path, Uint8Array.from(content))
      return digestOf(content)
    }),
  list: (path) =>
    Effect.sync(() =>
      [...files.keys()].flatMap((file) =>
        file.startsWith(`${path}/`) ? [file.slice(path.length + 1)] : []
      )
    ),
  remove: (path) => Effect.sync(() => void files.delete(path))
})

/** A copy whose changes do not reach the original. */
export const copy = ({ files }: MemoryFolder): MemoryFolder => make(new Map(files))
