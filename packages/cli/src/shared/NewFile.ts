/** A file that appears under its name when it is whole; a partial one is removed. */
import { randomUUID } from "node:crypto"
import { createWriteStream, existsSync, openSync, renameSync, rmSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { finished } from "node:stream/promises"
import { unreadable } from "./CommandFailure.js"

/** Receives the bytes of a file: `end` completes it, `drop` removes an incomplete one. */
export interface NewFile {
  readonly write: (bytes: Uint8Array) => Promise<void>
  readonly end: () => Promise<void>
  readonly drop: () => void
}

const opened = (partial: string, file: string): number => {
  try {
    return openSync(partial, "wx", 0o600)
  } catch (cause) {
    throw unreadable(`${file} cannot be written`, undefined, cause)
  }
}

/** Begins a file; fails where there is one. */
export const begin = (file: string): NewFile => {
  if (existsSync(file)) throw unreadable(`${file} is there already`, "give another --save FILE")
  const partial = join(dirname(file), `.${basename(file)}.${randomUUID()}.part`)
  // WHY opened at once: a stream that opens later could make the file after it was dropped.
  const stream = createWriteStream(partial, { fd: opened(partial, file) })
  const closed = finished(stream).catch((cause: unknown) => {
    throw unreadable(`${file} cannot be written`, undefined, cause)
  })
  // WHY: the failure is awaited by `write` or `end`, which may be called later.
  closed.catch(() => {})
  return {
    write: async (bytes) => {
      if (stream.write(bytes)) return
      await Promise.race([closed, new Promise<void>((drained) => stream.once("drain", drained))])
    },
    end: async () => {
      stream.end()
      await closed
      renameSync(partial, file)
    },
    drop: () => {
      stream.destroy()
      rmSync(partial, { force: true })
    }
  }
}
