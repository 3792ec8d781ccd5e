/** A folder of an archive, wherever it is kept. */

import type { ArchiveRefused } from "@attestry/core/OrgArchive"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** A folder cannot be read or written. */
export class ArchiveFolderError extends Schema.TaggedError<ArchiveFolderError>()(
  "ArchiveFolderError",
  { path: Schema.String, problem: Schema.String }
) {
  override get message(): string {
    return `the archive cannot be used: ${this.path}: ${this.problem}`
  }
}

/** The content of a file, unpacked, and its SHA-256 in hexadecimal. */
export interface ArchivedFile {
  readonly content: Uint8Array
  readonly digest: string
}

/** A folder of an archive. Paths are relative, with `/`. A file whose path ends in `.gz` is packed. */
export interface ArchiveFolder {
  /** A file; `none` if it is not there. */
  readonly read: (
    path: string
  ) => Effect.Effect<Option.Option<ArchivedFile>, ArchiveFolderError | ArchiveRefused>
  /** Writes a file, or replaces it, and gives the digest. It is durable and whole when this succeeds. */
  readonly write: (path: string, content: Uint8Array) => Effect.Effect<string, ArchiveFolderError>
  /** The names of the files directly in a folder; empty if there is no such folder. */
  readonly list: (path: string) => Effect.Effect<ReadonlyArray<string>, ArchiveFolderError>
  /** Removes a file, if it is there. */
  readonly remove: (path: string) => Effect.Effect<void, ArchiveFolderError>
}
