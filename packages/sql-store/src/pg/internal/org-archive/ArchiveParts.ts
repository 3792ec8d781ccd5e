/** Cuts the text of `COPY` into files of rows, and reads them again. */
import * as OrgArchive from "@attestry/core/OrgArchive"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ArchiveFolder, ArchiveFolderError } from "../../ArchiveFolder.js"

/** A file of rows has at most this many bytes unpacked, or one row. */
export const PART_BYTES = 16 * 1024 * 1024

const NEWLINE = 0x0a

/**
 * The chunks of a text, cut after rows: each result is as long as it may be. WHY newlines alone: `COPY` escapes those
 * inside of values.
 */
export async function* cut(
  chunks: AsyncIterable<Uint8Array>,
  bytesMax: number
): AsyncGenerator<Uint8Array> {
  let held: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of chunks) {
    held.push(chunk)
    size += chunk.length
    if (size < bytesMax) continue
    const all = Buffer.concat(held)
    const end = all.lastIndexOf(NEWLINE) + 1
    // WHY: one row may be longer than a part.
    if (end > 0) yield all.subarray(0, end)
    held = [all.subarray(end)]
    size = all.length - end
  }
  if (size > 0) yield Buffer.concat(held)
}

const rowsIn = (content: Uint8Array): number => {
  let rows = 0
  for (let at = content.indexOf(NEWLINE); at >= 0; at = content.indexOf(NEWLINE, at + 1)) rows++
  return rows
}

const refuse = (problem: string) => new OrgArchive.ArchiveRefused({ problem })

/** Writes a file of rows. */
export const write = (
  folder: ArchiveFolder,
  { content, number, table }: { content: Uint8Array; number: number; table: string }
): Effect.Effect<OrgArchive.Part, ArchiveFolderError> =>
  Effect.map(folder.write(OrgArchive.partPath(table, number), content), (sha256) => ({
    number,
    rows: rowsIn(content),
    sha256
  }))

type Failure = ArchiveFolderError | OrgArchive.ArchiveRefused

/** A file that must have this digest. */
const readAs = (
  folder: ArchiveFolder,
  path: string,
  sha256: string
): Effect.Effect<Uint8Array, Failure> =>
  Effect.gen(function* () {
    const file = yield* folder.read(path)
    if (Option.isNone(file)) return yield* refuse(`\`${path}\` is missing`)
    if (file.value.digest !== sha256)
      return yield* refuse(`\`${path}\` is not the file that was written`)
    return file.value.content
  })

/** The text of a file of rows, as the archive names it. */
export const read = (
  folder: ArchiveFolder,
  table: string,
  { number, rows, sha256 }: OrgArchive.Part
): Effect.Effect<Uint8Array, Failure> =>
  Effect.gen(function* () {
    const path = OrgArchive.partPath(table, number)
    const content = yield* readAs(folder, path, sha256)
    return rowsIn(content) === rows ? content : yield* refuse(`\`${path}\` has other rows`)
  })

/** The content of a file whose digest is its name. */
export const readFile = (
  folder: ArchiveFolder,
  fingerprint: string
): Effect.Effect<Uint8Array, Failure> =>
  readAs(folder, OrgArchive.filePath(fingerprint), fingerprint)

/** What `archive.json` says; `none` if the folder has none. */
export const readManifest = (
  folder: ArchiveFolder
): Effect.Effect<Option.Option<OrgArchive.OrgArchive>, Failure> =>
  Effect.flatMap(folder.read(OrgArchive.MANIFEST), (file) =>
    Effect.transposeMapOption(file, ({ content }) =>
      OrgArchive.parse(new TextDecoder().decode(content))
    )
  )
