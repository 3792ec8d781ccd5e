/** A file on a disk as an attachment: read in pieces while it is sent. */
import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { basename } from "node:path"
import type { Attachment } from "@attestry/client/Attachments"
import * as Effect from "effect/Effect"
import { EvidenceError } from "./EvidenceError.js"

async function* piecesOf(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path)
  } catch (cause) {
    throw new EvidenceError({ path, detail: "the file cannot be read", cause })
  }
}

/** The file at a path, under its own name or under another. */
export const fromFile = (
  path: string,
  filename: string = basename(path)
): Effect.Effect<Attachment, EvidenceError> =>
  Effect.tryPromise({
    try: () => stat(path),
    catch: (cause) => new EvidenceError({ path, detail: "there is no such file", cause })
  }).pipe(
    Effect.filterOrFail(
      (found) => found.isFile(),
      () => new EvidenceError({ path, detail: "it is no file" })
    ),
    Effect.map(({ size }) => ({
      filename,
      size,
      content: { [Symbol.asyncIterator]: () => piecesOf(path) }
    }))
  )
