/**
 * A file of an attestation. Its content can be read repeatedly, because a call may be repeated; `node/FileAttachment`
 * reads files from a disk.
 */
import type * as Stream from "effect/Stream"

/** A file: its name, its length, and its bytes, which can be read more than once. */
export interface Attachment {
  readonly filename: string
  readonly size: number
  /** Bytes in memory, or pieces: an iterable starts again each time it is asked for an iterator. */
  readonly content: Blob | AsyncIterable<Uint8Array> | Stream.Stream<Uint8Array, Error>
}

/** The progress of one attempt, in bytes of the whole form. */
export interface Progress {
  readonly sent: number
  readonly total: number
}

/** A file of bytes in memory. */
export const fromBytes = (filename: string, bytes: Uint8Array): Attachment => ({
  filename,
  size: bytes.byteLength,
  // WHY the copy: the caller may change its bytes before they are sent.
  content: new Blob([new Uint8Array(bytes)])
})

/** A file of a browser or a runtime, such as one from a file input. */
export const fromBlob = (filename: string, content: Blob): Attachment => ({
  filename,
  size: content.size,
  content
})
