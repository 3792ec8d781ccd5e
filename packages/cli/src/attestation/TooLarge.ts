/** Adds the names and sizes of the files to the failure of an oversized write. */
import * as ByteSize from "../shared/ByteSize.js"
import { CommandFailure } from "../shared/CommandFailure.js"
import type { AttachedFile } from "./AttachedFile.js"

const CONTENT_TOO_LARGE = 413

/** The failure with the files, largest first; returns other failures unchanged. */
export const named = (error: unknown, files: ReadonlyArray<AttachedFile>): unknown => {
  if (!(error instanceof CommandFailure) || error.details.status !== CONTENT_TOO_LARGE) return error
  const sizes = [...files]
    .sort((left, right) => right.size - left.size)
    .map(({ filename, size }) => [filename, ByteSize.print(size)])
  return new CommandFailure(error.word, error.message, {
    ...error.details,
    errors: { ...error.details.errors, ...Object.fromEntries(sizes) },
    hint: "nothing was recorded; the limits of the deployment: attestry get meta"
  })
}
