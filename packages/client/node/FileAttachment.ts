/** A file on a disk as an attachment: read in pieces while it is sent. */
import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { basename } from "node:path"
import type { Attachment } from "@attestry/client/Attachments"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { EvidenceError } from "./EvidenceError.js"

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
      content: Stream.fromAsyncIterable<Uint8Array, Error>(
        { [Symbol.asyncIterator]: () => createReadStream(path)[Symbol.asyncIterator]() },
        (cause) => new EvidenceError({ path, detail: "the file cannot be read", cause })
      )
    }))
  )
