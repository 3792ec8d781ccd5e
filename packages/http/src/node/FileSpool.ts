/**
 * Spools uploaded files to the folder for temporary files. Each file is unlinked when it is open, so that an aborted
 * request or a killed process leaves no file behind (P-PART).
 */
import { createHash, randomUUID } from "node:crypto"
import * as Fs from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Fingerprint } from "@attestry/core/Fingerprint"
import type { StoreError } from "@attestry/core/StoreError"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { type SpoolWriter, spoolFailed, type UploadSpool } from "../shared/UploadSpool.js"

const PIECE_BYTES = 262_144

const attempt = <A>(work: () => Promise<A>): Effect.Effect<A, StoreError> =>
  Effect.tryPromise({ try: work, catch: spoolFailed })

const openUnlinked = async (folder: string): Promise<Fs.FileHandle> => {
  const path = join(folder, `attestry-${randomUUID()}`)
  const file = await Fs.open(path, "wx+", 0o600)
  await Fs.unlink(path)
  return file
}

const readFrom = (file: Fs.FileHandle): Stream.Stream<Uint8Array, StoreError> =>
  Stream.unfoldEffect(0, (position) =>
    Effect.map(
      attempt(() => file.read(new Uint8Array(PIECE_BYTES), 0, PIECE_BYTES, position)),
      ({ bytesRead, buffer }) =>
        bytesRead === 0
          ? Option.none()
          : Option.some([buffer.subarray(0, bytesRead), position + bytesRead] as const)
    )
  )

const writerOf = (file: Fs.FileHandle): SpoolWriter => {
  const hash = createHash("sha256")
  let size = 0
  return {
    write: (bytes) =>
      attempt(async () => {
        hash.update(bytes)
        let offset = 0
        while (offset < bytes.byteLength) {
          const rest = bytes.byteLength - offset
          offset += (await file.write(bytes, offset, rest, size + offset)).bytesWritten
        }
        size += bytes.byteLength
      }),
    finish: Effect.sync(() => ({
      size,
      fingerprint: Fingerprint.make(hash.digest("hex")),
      content: readFrom(file)
    }))
  }
}

/** The size of the test write for free space: a block of most file systems. */
const PROBE_BYTES = 4_096

const writeProbe = async (folder: string): Promise<void> => {
  const file = await openUnlinked(folder)
  try {
    await file.write(new Uint8Array(PROBE_BYTES))
  } finally {
    await file.close()
  }
}

const codeOf = (cause: unknown): string =>
  Predicate.hasProperty(cause, "code") ? String(cause.code) : String(cause)

/** Spools to files in a folder; by default the system's folder for temporary files. */
export const make = (folder: string = tmpdir()): Context.Tag.Service<typeof UploadSpool> => {
  const open: Effect.Effect<SpoolWriter, StoreError, Scope.Scope> = Effect.map(
    Effect.acquireRelease(
      attempt(() => openUnlinked(folder)),
      (file) => Effect.ignore(attempt(() => file.close()))
    ),
    writerOf
  )
  const check = Effect.tryPromise({
    try: () => writeProbe(folder),
    catch: (cause) => `files cannot be kept in \`${folder}\`: ${codeOf(cause)}`
  })
  return { open, check }
}
