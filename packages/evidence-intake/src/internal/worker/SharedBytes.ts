/**
 * Copies a file into memory that threads share, in turns of the event loop.
 *
 * WHY: a message with the bytes of a file copies them at once, which holds the event loop for the whole file.
 */
import { setImmediate as nextTurn } from "node:timers/promises"

/** The most bytes that one turn of the event loop copies; a smaller file is copied by its message. */
export const SLICE_BYTES = 1_048_576

/** The bytes of a large file in shared memory; those of a small file as they are. */
export const share = async (bytes: Uint8Array): Promise<Uint8Array> => {
  if (bytes.byteLength <= SLICE_BYTES) return bytes
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.byteLength))
  for (let at = 0; at < bytes.byteLength; at += SLICE_BYTES) {
    shared.set(bytes.subarray(at, at + SLICE_BYTES), at)
    await nextTurn()
  }
  return shared
}

/** The bytes in memory of this thread alone, which decoders and signatures need. */
export const own = (bytes: Uint8Array): Uint8Array =>
  bytes.buffer instanceof SharedArrayBuffer ? new Uint8Array(bytes) : bytes
